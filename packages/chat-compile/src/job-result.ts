import type { Message } from '@colophon/chat-format';
import type { CompileContext, JobHandle } from './context.js';
import { askEngine, signalOf } from './engine.js';
import { jobFailedError, notAllowedError } from './errors.js';

/** A job that a message names, or one that it depends on. */
export type NamedJob = { message: Message; job: JobHandle };

const statusOf = ({ message, job }: NamedJob, context: CompileContext) =>
  askEngine(message, context, () => job.status());

/**
 * Runs, together, those of the jobs that have neither a result nor failed.
 *
 * @throws ColophonError `not_allowed` under the policy `read`, `task_failed` where the engine itself fails.
 */
export const produceUnfinished = async (named: readonly NamedJob[], context: CompileContext): Promise<void> => {
  const unfinished: NamedJob[] = [];
  for (const one of named) {
    const { status } = await statusOf(one, context);
    if (status === 'done' || status === 'error') continue;
    if (context.policy === 'read')
      throw notAllowedError(one.message, context.policy, `${one.job.shortPath} (status \`${status}\`)`);
    unfinished.push(one);
  }
  const first = unfinished[0]?.message;
  if (!first) return;
  const jobs = unfinished.map(({ job }) => job);
  await askEngine(first, context, (engine) => engine.produce(jobs, signalOf(context)));
};

/** Why a job has no result: as an error, and as text alone; undefined where it has one. */
export const failureOf = async (one: NamedJob, context: CompileContext) => {
  const { status, exception } = await statusOf(one, context);
  if (status === 'done') return undefined;
  const error = jobFailedError(one.message, one.job.shortPath, status, exception);
  return { error, exception: exception ?? `The job has no result, its status is ${status}` };
};
