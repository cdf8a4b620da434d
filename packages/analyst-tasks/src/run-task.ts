import { checkFollow } from '@colophon/provenance';
import { z } from 'zod';
import { invalidInput, unknownTask, wrongRoot } from './errors.js';
import { findRoot, type Root } from './root.js';
import { openFile, openRoot, type Session } from './session.js';
import type { AnalystContext, AnalystTask } from './task.js';

const fileInput = { file: z.string().min(1).describe('a chat file, a name in chats/, or a job') };

const followInput = {
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

const opensFile = ({ root }: Pick<AnalystTask, 'root'>): boolean => root === 'chat file' || root === 'persisted chat';

/** The whole input of a task: its root, which relations are followed where it follows some, and its own; an unknown field is an error. */
export const inputOf = (task: AnalystTask): z.ZodObject =>
  z.strictObject({ ...fileInput, ...(opensFile(task) ? {} : followInput), ...task.input.shape });

/** Reads inputs by a schema, and checks them as the task does. Throws `invalid_input` and what the task throws. */
const readBy = (schema: z.ZodObject, task: AnalystTask, given: Record<string, unknown>, context: AnalystContext) => {
  const read = schema.safeParse(given);
  if (!read.success) throw invalidInput(task.name, read.error);
  const { file, follow, ...input } = read.data as { file: string; follow?: string | string[] };
  const relations = followed(follow);
  task.check?.(input, context);
  return { file, follow: relations, input };
};

const checkRoot = (task: AnalystTask, { kind, path }: Root): void => {
  if (kind === 'job' && (task.root === 'chat' || task.root === 'chat file')) throw wrongRoot(task.name, path);
};

/**
 * Runs a task on a session that is open already: `given` is without the root and what is followed. Inputs are checked before any work.
 *
 * @throws ColophonError `invalid_input`, `wrong_root`.
 */
export const runOn = async <Output = unknown>(
  task: AnalystTask,
  session: Session,
  given: Record<string, unknown> = {},
): Promise<Output> => {
  const { input } = readBy(z.strictObject(task.input.shape), task, given, session.context);
  checkRoot(task, session.root);
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
  const { file, follow, input } = readBy(inputOf(task), task, given, context);
  const root = await findRoot(file, context);
  checkRoot(task, root);
  const session = opensFile(task) ? (openFile(root, context) as Session) : await openRoot(root, context, { follow });
  return (await task.run(session, input)) as Output;
};
