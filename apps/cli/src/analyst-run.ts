import { type AnalystContext, runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import type { MachineContext } from './context.js';

/** What analyst tasks read on this machine; made anew for each run, so that it keeps nothing that has changed. */
export const analystContext = ({ home, now, roots, signal, workingDirectory }: MachineContext): AnalystContext =>
  nodeAnalystContext({ home, now, roots: roots.map(({ path }) => path), signal, workingDirectory });

/** Runs an analyst's task on this machine. Throws what the task throws. */
export const runAnalyst = <Output>(
  name: string,
  input: Record<string, unknown>,
  context: MachineContext,
): Promise<Output> => runTask<Output>(name, input, analystContext(context), tasks);
