import { runAnalyst } from '../analyst-run.js';
import type { MachineContext } from '../context.js';
import { showReport } from '../show-report.js';
import { wrap } from '../two-columns.js';

/** A fact and its value, the value broken so that the lines stay within `width`; other lines as they are. */
const wrapFact = (line: string, width: number): string[] => {
  const [, label, value] = /^([\w.]+ {2,})(.*)$/.exec(line) ?? [];
  if (label === undefined || value === undefined) return [line];
  const [first = '', ...others] = wrap(value, Math.max(20, width - label.length));
  return [label + first, ...others.map((other) => ' '.repeat(label.length) + other)];
};

/** The analyst's report on a session as lines, its facts and notes at most `width` columns wide. */
export const reportLines = async (chat: string, width: number, context: MachineContext): Promise<string[]> => {
  const report = await runAnalyst<Record<string, unknown>>('chat_report', { file: chat }, context);
  const { notes, ...facts } = report;
  const text = showReport(facts, (part) => part);
  const told = [notes].flat().flatMap((note) => wrap(String(note), width - 2));
  return [...text.split('\n').flatMap((line) => wrapFact(line, width - 2)), '', ...told].map((line) =>
    line === '' ? '' : `  ${line}`,
  );
};
