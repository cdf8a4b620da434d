import type { Message } from '@colophon/chat-format';
import type { CompileContext, JobHandle } from './context.js';
import { askEngine, engineFor } from './engine.js';
import { emptyError, noStepError } from './errors.js';
import { failureOf, produceUnfinished } from './job-result.js';
import { resultText } from './result-text.js';
import { purge } from './stages/clean.js';

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'role' in value && 'content' in value;

/** The answer in a result: of a chat what the model said last (the last message, where it said nothing), of anything else the whole. */
const answerIn = (result: unknown): unknown => {
  if (!Array.isArray(result) || result.length === 0 || !result.every(isMessage)) return result;
  const chat = purge(result);
  return (chat.findLast(({ role }) => role === 'assistant') ?? chat.at(-1))?.content;
};

const answersTo = (job: JobHandle, name: string): boolean =>
  [job.task, `${job.workflow}/${job.task}`, job.shortPath, job.path].includes(name);

/**
 * The `assistant` message that a `step` stands for: the answer of the dependency that has that task (`task`, `Workflow/task`), short
 * path or path, nearest first, of the job that the last `meta job=` above names.
 *
 * @throws ColophonError `empty_directive`, `no_workflows`, `no_step`, `task_failed`, `job_failed`, `not_allowed`, `not_json`.
 */
export const stepAnswer = async (
  message: Message,
  lastJob: string | undefined,
  context: CompileContext,
): Promise<Message> => {
  const name = message.content.trim();
  if (name === '') throw emptyError(message, 'the name of a task that the last job depends on');
  engineFor(message, context);
  if (lastJob === undefined)
    throw noStepError(message, `${name} and no job`, 'a `meta: job=…` above that names the job');
  const seen: string[] = [];
  const job = await askEngine(message, context, (engine) => engine.load(lastJob));
  for (const path of await askEngine(message, context, () => job.dependencies())) {
    const dependency = await askEngine(message, context, (engine) => engine.load(path));
    seen.push(dependency.shortPath);
    if (!answersTo(dependency, name)) continue;
    const one = { message, job: dependency };
    await produceUnfinished([one], context);
    const failure = await failureOf(one, context);
    if (failure) throw failure.error;
    const result = await askEngine(message, context, () => dependency.load());
    return { ...message, role: 'assistant', content: resultText(answerIn(result), message) };
  }
  throw noStepError(
    message,
    name,
    `a task among ${seen.length > 0 ? seen.join(', ') : 'none'}, which ${lastJob} depends on`,
  );
};
