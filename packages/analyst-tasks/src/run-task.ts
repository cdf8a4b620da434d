import { checkFollow } from '@colophon/provenance';
import { z } from 'zod';
import { invalidInput, unknownTask, wrongRoot } from './errors.js';
import { openSession, type Session } from './session.js';
import type { AnalystContext, AnalystTask } from './task.js';

/** What every task takes: its root, and which relations are followed. */
const commonInputs = {
  file: z.string().min(1).describe('a chat file, a name in chats/, or a job'),
  follow: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(
      'relations that are followed, separated by commas or blanks: job agent_job dependency log result; all by default',
    ),
};

/** `job, log` and lists of such as a list of names; nothing, `all` and an empty text are undefined. */
const followed = (follow: string | readonly string[] | undefined): string[] | undefined => {
  const names = [follow ?? []].flat().flatMap((text) => text.split(/[\s,]+/).filter((name) => name !== ''));
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return undefined;
  checkFollow(names);
  return names;
};

/** The whole input of a task, with the root and what is followed; an unknown field is an error. */
export const inputOf = (task: AnalystTask): z.ZodObject => z.strictObject({ ...commonInputs, ...task.input.shape });

/** Reads the inputs of a task. Throws `invalid_input`, `unknown_relation`. */
const readInputs = (task: AnalystTask, given: Record<string, unknown>) => {
  const read = inputOf(task).safeParse(given);
  if (!read.success) throw invalidInput(task.name, read.error);
  const { file, follow, ...input } = read.data as { file: string; follow?: string | string[] };
  return { file, follow: followed(follow), input };
};

/**
 * Runs a task on a session that is open already. Inputs are checked before any work.
 *
 * @throws ColophonError `invalid_input`, `wrong_root`.
 */
export const runOn = async <Output = unknown>(
  task: AnalystTask,
  session: Session,
  given: Record<string, unknown> = {},
): Promise<Output> => {
  const { input } = readInputs(task, { ...given, file: session.root.path });
  if (task.root !== 'session' && session.root.kind === 'job') throw wrongRoot(task.name, session.root.path);
  return (await task.run(session, input)) as Output;
};

/**
 * Opens the session that `file` names and runs a task on it.
 *
 * @throws ColophonError `unknown_task`, `invalid_input`, `unknown_relation`, `unknown_root`, `wrong_root`.
 */
export const runTask = async <Output = unknown>(
  name: string,
  given: Record<string, unknown>,
  context: AnalystContext,
  tasks: Record<string, AnalystTask>,
): Promise<Output> => {
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (!task) throw unknownTask(name, Object.keys(tasks));
  const { file, follow, input } = readInputs(task, given);
  const session = await openSession(file, context, { follow: task.root === 'persisted chat' ? [] : follow });
  if (task.root !== 'session' && session.root.kind === 'job') throw wrongRoot(name, session.root.path);
  return (await task.run(session, input)) as Output;
};
