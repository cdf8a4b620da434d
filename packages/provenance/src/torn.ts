import type { Chat } from '@colophon/chat-format';
import type { Warning } from './warning.js';

const jsonRoles = new Set(['function_call', 'mcp_call', 'function_call_output']);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * A last message that a crash, or a writer at work, left unfinished: JSON that breaks off, or half a character. What it carries is
 * not counted.
 */
export const tornWarning = (chat: Chat, path: string): Warning | undefined => {
  const last = chat.at(-1);
  if (!last) return undefined;
  const { role, content } = last;
  const half = content.endsWith('\ufffd');
  if (!half && !(jsonRoles.has(role) && content.startsWith('{') && !isJson(content))) return undefined;
  const message = chat.length - 1;
  return {
    code: 'torn_message',
    message: `${path}, message ${message}: the last message (${role}) breaks off, so what it carries is not counted. Read it again when its writer is done.`,
    path,
    address: [path, message],
  };
};
