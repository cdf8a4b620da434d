import { type AskOptions, type DirectBackend, keepRecord, type LoopSteps, type Run } from '@colophon/backends';
import {
  type Chat,
  ColophonError,
  type Message,
  type Meta,
  normalizeUsage,
  parseMeta,
  printChat,
  project,
  sumTokens,
  type Tokens,
} from '@colophon/chat-format';
import { createJob, type Job, produce, toRequestContext, type Workflow } from '@colophon/workflow';
import type { AgentContext } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';

type Reply = Awaited<ReturnType<LoopSteps['request']>>;

/** A job's answer: what the loop sees of it, and what is recorded. */
type JobReply = Reply & { recorded: Chat; isNew: boolean };

const taskName = 'ask';

// Asked by nobody: the job takes its place.
const jobBackend: DirectBackend = { name: 'job', reply: () => ({ messages: [], calls: [] }) };

const conversationOf = ({ chat, start, declared }: Run): Chat => [
  ...declared.filter((message) => !start.has(message)),
  ...chat.filter((message) => !start.has(message)),
];

// Options that the task has inputs for, without what may be a credential.
const inputsOf = (run: Run, workflow: Workflow): Record<string, unknown> => {
  const { own, parameters, model } = run.options;
  const known = Object.keys(workflow.tasks[taskName]?.input?.shape ?? {});
  const given = toRequestContext({ ...parameters, ...own, model });
  const inputs = Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)));
  return { ...inputs, chat: printChat(conversationOf(run)) };
};

const failed = (agent: string, { shortPath }: Job, message: string) =>
  new ColophonError('job_failed', `The job ${shortPath}, which answers for the agent ${agent}, failed: ${message}`, {
    agent,
    job: shortPath,
  });

const messagesOf = (job: Job, value: unknown): Chat =>
  project(
    job.shortPath,
    Array.isArray(value)
      ? (value as Message[])
      : [{ role: 'assistant', content: typeof value === 'string' ? value : JSON.stringify(value) }],
  );

const usageOf = (chat: Chat): Tokens =>
  sumTokens(chat.flatMap(({ role, content }) => (role === 'meta' ? [normalizeUsage(parseMeta(content))] : [])));

const stepsOf = (definition: AgentDefinition, workflow: Workflow, context: AgentContext): Partial<LoopSteps> => ({
  recall: async () => undefined,
  // The notes in the inbox are for who is asked, which is the job.
  prepare: async (_, view) => ({ chat: view.chat, boundaries: [], view, notes: [] }),
  request: async (run): Promise<JobReply> => {
    const { caller, main_chat } = { caller: run.input.file, main_chat: run.options.own.mainChat ?? run.input.file };
    const jobs = await context.jobs!();
    const requestContext = { backend: run.options.backend.name, agent_name: definition.name, caller, main_chat };
    const job = await createJob(workflow, taskName, inputsOf(run, workflow), { context: { ...jobs, requestContext } });
    const [produced] = await produce([job], { signal: run.signal });
    run.signal.throwIfAborted();
    if (produced?.exception) throw failed(definition.name, job, produced.exception.message);
    const recorded = messagesOf(job, await job.load());
    const last = recorded.findLast(({ role }) => role === 'assistant');
    return {
      messages: last ? [last] : [],
      calls: [],
      inferenceId: job.shortPath,
      timestamp: run.context.now().toISOString(),
      recorded,
      isNew: produced?.status === 'done' && produced.reused !== true,
    };
  },
  record: async (run, reply): Promise<Meta> => {
    const { recorded, isNew } = reply as JobReply;
    await keepRecord(run, recorded);
    run.chat.push(...recorded.filter(({ role }) => role !== 'meta'));
    if (isNew) run.tokens = sumTokens([run.tokens, usageOf(recorded)]);
    return { job: reply.inferenceId };
  },
});

/**
 * Options with which an agent is asked whose workflow has a task `ask`: that task answers, as a job that is kept, and what it answers is
 * recorded behind `meta: job=…`. Undefined where the agent has no such task.
 */
export const jobBranch = async (
  definition: AgentDefinition,
  context: AgentContext,
): Promise<AskOptions | undefined> => {
  if (definition.workflow === undefined || !context.loadWorkflow || !context.jobs) return undefined;
  const workflow = await context.loadWorkflow(definition.workflow);
  if (!Object.hasOwn(workflow.tasks, taskName)) return undefined;
  return { backend: jobBackend, persist: false, steps: stepsOf(definition, workflow, context) };
};
