import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Answer, ask, type RunToolContext } from '@colophon/backends';
import type { Chat, Message } from '@colophon/chat-format';
import { type ToolContext, type ToolResult, toolResult } from '@colophon/tools';
import type { AgentContext } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';
import { agentOptions } from './agent-options.js';
import { callKey } from './call-key.js';
import { type Conversation, readChat } from './conversation.js';
import { type Inherit, inherited } from './inherit.js';
import { jobBranch } from './job-branch.js';
import { receiptOf } from './receipt.js';
import { type Society, societyOf } from './society.js';
import { isSame, placed, startOf } from './start-of.js';

/** What a specialist is asked, and where. */
export type Question = {
  definition: AgentDefinition;
  conversation: Conversation;
  prompt: string;
  inherit: Inherit;
  society: Society;
  context: AgentContext;
};

/** What a tool is called with, by a run of `ask`. */
export type Call = ToolContext & RunToolContext;

// The note is for readers, and for a call that is taken up again; the model does not see it.
/** The message that tells it. */
export const noteOf = (call: Call): Message => ({ role: 'skip', content: `asked by call ${callKey(call)}` });

/** Whether a message tells by which call what follows was asked. */
export const isNote = ({ role, content }: Message): boolean => role === 'skip' && content.startsWith('asked by call ');

/** The conversation with the prompt in it: a call that was interrupted finds its own there and goes on from where it stands. */
const withPrompt = (chat: Chat, prompt: string, call: Call): { chat: Chat; from: number } => {
  const note = noteOf(call);
  const user: Message = { role: 'user', content: prompt };
  const from = chat.findLastIndex(isNote);
  if (from >= 0 && isSame(chat[from], note) && isSame(chat[from + 1], user)) return { chat, from };
  return { chat: [...chat, note, user], from: chat.length };
};

const open = (chat: Chat, { definition, inherit }: Question, call: Call): Chat => {
  const start = startOf(definition);
  if (chat.length === 0) return [...start, ...inherited(inherit, call, start)];
  const end = chat.findIndex(isNote);
  const head = end < 0 ? chat : chat.slice(0, end);
  return [...placed(head, start), ...chat.slice(head.length)];
};

const problemOf = (name: string, { stopReason, reason, text }: Answer): string | undefined => {
  if (stopReason === 'stop' || stopReason === 'length') return undefined;
  return [`The agent ${name} was stopped (${reason ?? stopReason})`, text].filter(Boolean).join(': ');
};

const toResult = (name: string, answer: Answer): Pick<ToolResult, 'content' | 'error'> => {
  const problem = problemOf(name, answer);
  if (problem === undefined) return { content: answer.text };
  return { content: problem, error: answer.stopReason === 'aborted' ? 'aborted' : 'error' };
};

/**
 * Asks a specialist in its conversation, which is recorded as it goes. The prompt is one literal `user` message. The result carries
 * the receipt of all that was paid for by this call, also where it failed or was stopped.
 */
export const askSpecialist = async (question: Question, call: Call): Promise<ToolResult> => {
  const { definition, conversation, prompt, society, context } = question;
  const { name } = definition;
  if (call.signal.aborted) return toolResult({ content: `The agent ${name} was not asked`, error: 'aborted' });
  const { file } = conversation;
  const opened = open(await readChat(conversation), question, call);
  const { chat, from } = withPrompt(opened, prompt, call);
  const live = [...chat];
  if (file === undefined) conversation.chat = live;
  conversation.society ??= societyOf(society, name, file);
  if (file !== undefined) await mkdir(dirname(file), { recursive: true });
  const receipt = () => ({ meta: receiptOf(live.slice(from), { deep: file === undefined }) });
  const { main_chat: mainChat } = call.requestContext;
  try {
    const own = agentOptions(definition, { ...context, ...call.context }, conversation.society);
    const answer = await ask(chat, {
      ...own,
      ...(await jobBranch(definition, own.context)),
      agent: null,
      before: chat.findIndex(isNote),
      defaults: call.passedOn,
      ledger: call.ledger,
      signal: call.signal,
      onRecord: (messages) => {
        live.push(...messages);
        call.onProgress({ message: `${name}: ${live.length - chat.length} messages` });
      },
      ...(file === undefined ? {} : { saveFile: file }),
      ...(typeof mainChat === 'string' ? { mainChat } : {}),
    });
    return toolResult({ ...toResult(name, answer), ...receipt() });
  } catch (error) {
    const content = `The agent ${name} failed: ${error instanceof Error ? error.message : String(error)}`;
    return toolResult({ content, error: 'error', ...receipt() });
  }
};
