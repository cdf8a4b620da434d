import { type Chat, type Message, pairToolCalls } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
import { emptyError, roleNameError } from '../errors.js';

const isCall = ({ role }: Message): boolean => role === 'function_call' || role === 'mcp_call';
const isOutput = ({ role }: Message): boolean => role === 'function_call_output';
const namesRole = ({ role }: Message): boolean => role === 'clean_role' || role === 'clear_role';

const rolesNamed = (message: Message): string[] => {
  const names = message.content.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) throw emptyError(message, 'the name of a role');
  for (const name of names) if (!/^[a-z][a-z0-9_]*$/.test(name)) throw roleNameError(message, name);
  return names;
};

const withoutRolesNamed = (chat: Chat): Chat => {
  const roles = new Set(chat.filter(namesRole).flatMap(rolesNamed));
  return chat.filter((message) => !namesRole(message) && !roles.has(message.role));
};

const withoutToolsBefore = (chat: Chat, end: number): Chat => {
  const outputs = new Set<unknown>();
  for (const { callAddress, outputAddress } of pairToolCalls(chat)) {
    if ((callAddress as number) < end) outputs.add(outputAddress);
  }
  return chat.filter(
    (message, index) =>
      !(index < end && (isCall(message) || isOutput(message))) && !(isOutput(message) && outputs.has(index)),
  );
};

/**
 * Takes history away: all of it up to the last `clear`; every message of a role that a `clean_role` or `clear_role` names; the
 * calls and outputs before the last `clear_tools` that is not `false`, an output that comes after it included where its call
 * goes. `clear_tools` itself stays, for the tools that are declared in a chat.
 *
 * @throws ColophonError `empty_directive`, `invalid_role`.
 */
export const clear = (chat: Chat, { policy }: CompileContext): Chat => {
  if (policy === 'inspect') return chat;
  const kept = chat.slice(chat.findLastIndex(({ role }) => role === 'clear') + 1);
  const cleaned = kept.some(namesRole) ? withoutRolesNamed(kept) : kept;
  const end = cleaned.findLastIndex(({ role, content }) => role === 'clear_tools' && content.trim() !== 'false');
  return end < 0 ? cleaned : withoutToolsBefore(cleaned, end);
};
