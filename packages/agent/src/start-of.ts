import type { Chat, Message } from '@colophon/chat-format';
import { workflowName } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';

const quoted = (word: string): string => (/^[\w./@-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`);

const declares = (start: Chat, role: string, word: string): boolean =>
  start.some((message) => message.role === role && message.content.trim().split(/\s+/)[0] === word);

/**
 * How a conversation with an agent starts: its start chat, then what declares its workflow and its knowledge base where the start chat
 * does not. Without a start chat, the workflow introduces itself.
 */
export const startOf = (definition: AgentDefinition): Chat => {
  const { start, knowledgeBase } = definition;
  const workflow = workflowName(definition);
  const added: Message[] = [];
  if (workflow !== undefined) {
    const word = quoted(workflow);
    if (start.length === 0) added.push({ role: 'introduce', content: word });
    if (!declares(start, 'tool', word)) added.push({ role: 'tool', content: word });
  }
  if (knowledgeBase !== undefined && !start.some(({ role }) => role === 'kb'))
    added.push({ role: 'kb', content: quoted(knowledgeBase) });
  return [...start, ...added];
};

/** Whether two messages say the same, wherever they stand. */
export const isSame = (a: Message | undefined, b: Message | undefined): boolean =>
  a?.role === b?.role && a?.content === b?.content;

/** How many messages of a conversation are those that it started with. */
export const startLength = (chat: Chat, start: Chat): number => {
  const length = start.findIndex((message, index) => !isSame(message, chat[index]));
  return length < 0 ? start.length : length;
};

/** A conversation whose start knows where it was written: paths in it are seen from there, also when it was read from elsewhere. */
export const placed = (chat: Chat, start: Chat): Chat => {
  const length = startLength(chat, start);
  return [...start.slice(0, length), ...chat.slice(length)];
};
