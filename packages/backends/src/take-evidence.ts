import { type Chat, type Meta, parseMeta, takeMeta } from '@colophon/chat-format';
import type { Run } from './run.js';
import { type Ending, readEnding } from './unfinished.js';

const jobsOf = (chat: Chat): string[] => {
  const jobs = chat.flatMap(({ role, content }) => (role === 'meta' ? [parseMeta(content)['job']] : []));
  return [...new Set(jobs.filter((job): job is string => typeof job === 'string' && job !== ''))];
};

// A job that is gone can't be read, and needs no grant.
const grantsOf = async (job: string, { context }: Run): Promise<string[]> => {
  if (!context.workflows) return [job];
  try {
    const handle = await context.workflows.load(job);
    return [handle.path, ...(await handle.dependencies())];
  } catch (error) {
    context.log?.(`No read grant for the job ${job}: ${error instanceof Error ? error.message : error}`);
    return [];
  }
};

/**
 * Step 2: jobs that `meta` messages name may be read by tools, with what they depend on; the metas are taken out of what is sent,
 * and the last checkpoint is kept. Returns how the conversation ends.
 */
export const takeEvidence = async (run: Run): Promise<Ending> => {
  const granted = await Promise.all(jobsOf(run.chat).map((job) => grantsOf(job, run)));
  const { grants } = run.compile;
  grants.readable = [...new Set([...grants.readable, ...granted.flat()])];
  const ending = readEnding(
    run.chat.filter((message) => !run.start.has(message)),
    run.input,
  );
  const { chat, meta }: { chat: Chat; meta: Meta | undefined } = takeMeta(run.chat);
  const torn = new Set(ending.torn);
  run.chat = chat.filter((message) => !torn.has(message));
  run.torn = ending.torn;
  if (meta) run.meta = meta;
  return ending;
};
