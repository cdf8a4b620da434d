import { keepReset, readConversation } from '@colophon/backends';
import { type Chat, type Message, parseChat, parseMeta, project } from '@colophon/chat-format';
import type { Step, Task, TaskDefinition } from '@colophon/workflow';
import { z } from 'zod';
import type { Agent } from './agent.js';
import type { AgentContext } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';
import { type AgentOptions, createAgent } from './create-agent.js';
import { noAgentsService, wrongResult } from './errors.js';
import { jobNotes, withoutJobNotes } from './job-notes.js';
import { loadAgent } from './load-agent.js';
import { isSame, startOf } from './start-of.js';

/** What the function of a chat task gets beside its agent. */
export type ChatTaskRun = {
  /** The given chat, parsed and not compiled. */
  chat: Chat;
  /** All inputs. */
  inputs: Record<string, unknown>;
  step: Step;
};

/** What a program offers as the service `agents` of its jobs. */
export type AgentsService = { context: AgentContext; close: () => Promise<void> };

/**
 * A task that an agent does. `agent`: its name, or what it is. `run`: what it does beyond answering the chat; it returns the agent (whose
 * part of this run is the result), a chat or a message (which is the result as it stands). `input`: further inputs.
 */
export type ChatTaskDefinition = Partial<Omit<TaskDefinition<z.ZodObject, unknown>, 'run' | 'type'>> & {
  agent: string | AgentDefinition;
  run?: (agent: Agent, run: ChatTaskRun) => unknown;
  /** Options of the agent; `context` is for programs that run jobs without the service `agents`. */
  options?: Partial<Pick<AgentOptions, 'options' | 'onError' | 'society' | 'context'>>;
};

const chatInput = z.object({ chat: z.string().default('').describe('the chat to answer, as chat text') });

const openService = async ({ services, shortPath }: Step, given: AgentContext | undefined): Promise<AgentsService> => {
  if (given) return { context: given, close: async () => {} };
  const service = services['agents'];
  if (!service) throw noAgentsService(shortPath);
  return (await service()) as AgentsService;
};

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Message).role === 'string' &&
  typeof (value as Message).content === 'string';

// A run that was killed goes on from what it had recorded; a conversation that began otherwise is kept beside it.
const goOn = async (file: string, prepared: Chat): Promise<Chat> => {
  const held = await readConversation(file);
  if (held.length === 0) return prepared;
  if (prepared.every((message, index) => isSame(message, held[index])))
    return [...prepared, ...held.slice(prepared.length)];
  await keepReset(file);
  return prepared;
};

const answered = async (agent: Agent, { shortPath }: Step): Promise<void> => {
  if (agent.messages.at(-1)?.role === 'assistant') return;
  const { stopReason, reason } = await agent.chat();
  if (stopReason !== 'stop' && stopReason !== 'length')
    throw new Error(`${shortPath}: the agent ${agent.name} was stopped: ${reason ?? stopReason}`);
};

const resultOf = async (returned: unknown, agent: Agent, from: number, step: Step): Promise<Chat> => {
  if (returned === agent || returned === agent.messages) {
    await answered(agent, step);
    return agent.messages.slice(from);
  }
  if (Array.isArray(returned) && returned.every(isMessage)) return returned;
  if (isMessage(returned)) return [returned];
  throw wrongResult(step.shortPath, returned);
};

const jobsIn = (chat: Chat): string[] =>
  chat.flatMap(({ role, content }) => {
    const job = role === 'meta' ? parseMeta(content)['job'] : undefined;
    return typeof job === 'string' ? [job] : [];
  });

/**
 * A task of type `chat` with an input `chat`: an agent, prepared with what it has to know of its job, answers it. The result begins
 * with one `meta: job=…` and holds this run's part of the conversation; all of it stands at `<job>.files/agent.chat`, recorded as it
 * goes. Whatever stops the agent fails the job.
 */
export const chatTask = ({ agent: asked, run, options = {}, input, ...definition }: ChatTaskDefinition): Task => ({
  ...definition,
  type: 'chat',
  input: input ? chatInput.extend(input.shape) : chatInput,
  run: async (inputs: Record<string, unknown>, step: Step) => {
    const { context, close } = await openService(step, options.context);
    try {
      const made = typeof asked === 'string' ? await loadAgent(asked, context) : asked;
      const chat = withoutJobNotes(parseChat(String(inputs['chat'] ?? '')));
      const prepared = [...startOf(made), ...(await jobNotes(step, context, jobsIn(chat))), ...chat];
      const saveFile = await step.file('agent.chat');
      const agent = createAgent(made, {
        ...options,
        context,
        options: { ...options.options, signal: step.signal },
        saveFile,
        direct: true,
        messages: await goOn(saveFile, prepared),
      });
      const returned = run ? await run(agent, { chat, inputs, step }) : agent;
      return project(step.shortPath, await resultOf(returned, agent, prepared.length, step));
    } finally {
      await close();
    }
  },
});
