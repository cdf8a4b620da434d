import { type Chat, type Message, printCall } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
import { askEngine } from '../engine.js';
import { emptyError } from '../errors.js';
import { failureOf, type NamedJob, produceUnfinished } from '../job-result.js';
import { resultText } from '../result-text.js';
import { wrapFile } from '../wrap-file.js';

const isJob = ({ role }: Message): boolean => role === 'job' || role === 'inline_job';

const loadJobs = async (chat: Chat, context: CompileContext): Promise<Map<Message, NamedJob>> => {
  const named = new Map<Message, NamedJob>();
  for (const message of chat) {
    if (!isJob(message)) continue;
    const path = message.content.trim();
    if (path === '') throw emptyError(message, 'the path of a job');
    const job = await askEngine(message, context, (engine) => engine.load(path));
    named.set(message, { message, job });
  }
  return named;
};

/**
 * The end of a short path, in the letters and within the 64 characters that every provider takes for an id of a call; the end,
 * because there the digest stands. A second call of one job gets a number behind it.
 */
const callIds = () => {
  const taken = new Set<string>();
  const uses = new Map<string, number>();
  return (shortPath: string): string => {
    const start = shortPath.replace(/[^A-Za-z0-9_-]/g, '_').slice(-56);
    let id = start;
    while (taken.has(id)) {
      const use = (uses.get(start) ?? 1) + 1;
      uses.set(start, use);
      id = `${start}-${use}`;
    }
    taken.add(id);
    return id;
  };
};

/**
 * Puts what jobs resulted in into the chat: a `job` as a call and its output, an `inline_job` as a `file` message of its result.
 * Jobs that were not run yet are run first, together.
 *
 * @throws ColophonError `empty_directive`, `no_workflows`, `task_failed`, `not_json`, `job_failed` (unless the context inlines
 * exceptions), `not_allowed` where a job would have to run under the policy `read`.
 */
export const jobs = async (chat: Chat, context: CompileContext): Promise<Chat> => {
  if (context.policy === 'inspect' || !chat.some(isJob)) return chat;
  const named = await loadJobs(chat, context);
  await produceUnfinished([...named.values()], context);
  const idFor = callIds();
  const result: Chat = [];
  for (const message of chat) {
    const one = named.get(message);
    if (!one) {
      result.push(message);
      continue;
    }
    const { job } = one;
    const failure = await failureOf(one, context);
    if (failure && !context.inlineExceptions) throw failure.error;
    const failed = failure && JSON.stringify({ exception: failure.exception });
    if (message.role === 'inline_job') {
      result.push(
        failed === undefined
          ? { ...message, role: 'file', content: job.path }
          : { ...message, role: 'user', content: wrapFile(job.shortPath, failed) },
      );
      continue;
    }
    const id = idFor(job.shortPath);
    const content = failed ?? resultText(await askEngine(message, context, () => job.load()), message);
    result.push(
      { ...message, role: 'function_call', content: printCall({ id, name: job.task, arguments: job.inputs }) },
      { ...message, role: 'function_call_output', content: JSON.stringify({ id, content }) },
    );
  }
  return result;
};
