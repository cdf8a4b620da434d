import type { Reports } from '@colophon/analyst-tasks';
import { runAnalyst } from '../analyst-run.js';
import type { MachineContext } from '../context.js';
import { reportPage, showReport } from '../show-report.js';

/** The analyst's report on a session as lines, at most `width` columns wide. */
export const reportLines = async (chat: string, width: number, context: MachineContext): Promise<string[]> => {
  const report = await runAnalyst<Reports['chat_report']>('chat_report', { file: chat }, context);
  return showReport('chat_report', report, reportPage(width - 2, context))
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));
};
