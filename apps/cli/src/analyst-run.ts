import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import type { MachineContext } from './context.js';

/** Runs an analyst's task on this machine. Throws what the task throws. */
export const runAnalyst = <Output>(
  name: string,
  input: Record<string, unknown>,
  { home, now, roots, signal, workingDirectory }: MachineContext,
): Promise<Output> => {
  const context = nodeAnalystContext({ home, now, roots: roots.map(({ path }) => path), signal, workingDirectory });
  return runTask<Output>(name, input, context, tasks);
};
