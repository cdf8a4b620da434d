import { visibleText, type Warning } from '@colophon/provenance';
import { createColors } from 'picocolors';
import type { MachineContext } from './context.js';

/** How many are told without `--verbose`. */
const told = 5;

const ofReceipts: readonly string[] = ['not_an_array', 'not_a_hash', 'empty_meta', 'unresolved_job_reference'];

const line = ({ code, message }: Warning): string =>
  visibleText(
    `${ofReceipts.includes(code) ? 'agent_meta receipt: ' : ''}${message.startsWith(code) ? '' : `${code}: `}${message}`,
  );

/** Tells the warnings of a session on standard error: the first ones and how many there are, or all. */
export const showWarnings = (warnings: readonly Warning[], { stderr, verbose, log }: MachineContext): void => {
  const { yellow } = createColors(stderr.color);
  const shown = verbose ? warnings : warnings.slice(0, told);
  for (const warning of shown) log('warn', `${yellow('warning:')} ${line(warning)}`);
  const rest = warnings.length - shown.length;
  if (rest > 0) log('warn', `${yellow(`${warnings.length} warnings`)}, ${rest} not shown: --verbose tells all`);
};
