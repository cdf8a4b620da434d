import type { Answer, AskEvent, StopReason } from '@colophon/backends';
import { parseOutput, printTokens } from '@colophon/chat-format';
import type { Progress } from '@colophon/tools';
import { createColors } from 'picocolors';
import type { MachineContext } from './context.js';

/** Why an answer is not what was asked for, in words. What is absent is a good end. */
const endings: Readonly<Partial<Record<StopReason, string>>> = {
  length: 'the answer was cut off at the length limit; raise `max_tokens`, or ask to go on',
  refusal: 'the model refused',
  content_filter: "the provider's filter stopped the answer",
  max_rounds: 'the limit of rounds is reached; ask again to go on, or raise `max_rounds`',
  budget: 'the budget is used up; ask again to go on, or raise it',
  aborted: 'stopped',
};

/** What went wrong in an answer, or nothing. */
export const badEnding = ({ stopReason, reason, text, formatError }: Answer): string | undefined => {
  const ending = endings[stopReason];
  if (ending !== undefined) return reason ? `${ending} (${reason})` : ending;
  if (formatError !== undefined) return `the answer is not of the asked format: ${formatError}`;
  return text.trim() === '' ? 'the answer has no text' : undefined;
};

const oneLine = (value: unknown, width: number): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
};

/** The arguments of a call as `name=value` words. */
export const showArguments = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([key, part]) => `${key}=${typeof part === 'string' ? part : JSON.stringify(part)}`)
        .join(' ')
    : String(value ?? '');

/** One line about what a run cost: tokens, and dollars where they are known. */
const printCost = ({ tokens, cost }: Pick<Answer, 'tokens' | 'cost'>): string =>
  [printTokens(tokens), ...(cost === undefined || cost === 0 ? [] : [`cost=$${cost.toFixed(cost < 0.01 ? 5 : 2)}`])]
    .filter((part) => part !== '')
    .join(' ');

/**
 * Shows a run while it goes: the text on standard output as it comes (unless `quiet`), calls and their results on standard
 * error. `finish` ends the text's last line and says what is to be said of the end.
 */
export const showRun = (context: MachineContext, { quiet = false } = {}) => {
  const { stdout, stderr, log } = context;
  const { dim, cyan, green, red } = createColors(stderr.color);
  const width = Math.max(40, (stderr.isTerminal ? stderr.columns : 100) - 2);
  let inText = false;
  let streamed = false;
  let inProgress = false;
  const wipe = () => {
    if (inProgress) stderr.write('\r\u001b[K');
    inProgress = false;
  };
  const write = (text: string) => {
    if (quiet || text === '') return;
    wipe();
    stdout.write(text);
    inText = !text.endsWith('\n');
    streamed = true;
  };
  const endLine = () => {
    if (inText) stdout.write('\n');
    inText = false;
  };
  const tell = (line: string) => {
    endLine();
    wipe();
    log('info', line);
  };
  const names = new Map<string, string>();

  const onEvent = (event: AskEvent) => {
    switch (event.kind) {
      case 'round-start':
        if (event.round <= 1 && stderr.isTerminal) tell(dim(`asking ${event.model} (${event.backend})`));
        streamed = false;
        return;
      case 'text-delta':
        return write(event.text);
      case 'tool-call': {
        const { id, name, arguments: given } = event.call;
        names.set(id, name);
        return tell(`${cyan('→')} ${name} ${dim(oneLine(showArguments(given), width - name.length - 3))}`);
      }
      case 'tool-result': {
        const output = parseOutput(event.message.content);
        const name = output?.name ?? names.get(output?.id ?? '') ?? '';
        const failed = output?.error !== undefined && output.error !== 'truncated';
        return tell(
          `${failed ? red('✗') : green('←')} ${name} ${dim(oneLine(output?.content, width - name.length - 3))}`,
        );
      }
    }
  };

  // What a tool tells while it runs: one line that changes, and only where somebody watches.
  const onProgress = ({ message, done, total }: Progress, { name }: { name: string }) => {
    if (!stderr.isTerminal || inText) return;
    const count = done === undefined ? '' : ` ${done}${total === undefined ? '' : `/${total}`}`;
    wipe();
    stderr.write(dim(oneLine(`  ${name}${count} ${message}`, width)));
    inProgress = true;
  };

  const finish = (answer: Answer) => {
    wipe();
    if (!streamed) write(answer.text);
    endLine();
    const cost = printCost(answer);
    if (cost !== '' && stderr.isTerminal) log('info', dim(cost));
    const bad = badEnding(answer);
    if (bad !== undefined) log('error', `${red('colophon:')} ${bad}`);
  };
  return { onEvent, onProgress, endLine, finish };
};
