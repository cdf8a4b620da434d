import { type Chat, roles } from '@colophon/chat-format';
import type { Backend } from './backend.js';
import { unhandledRole, unknownRole, unsupported } from './errors.js';

const sent = new Set([
  'system',
  'user',
  'assistant',
  'function_call',
  'function_call_output',
  'mcp_call',
  'image',
  'pdf',
]);

/**
 * Checks before anything is sent that every role of a compiled chat is one that formatters know, and that the backend takes its
 * attachments. Throws `unknown_role` or `unsupported` with file and line.
 */
export const checkRoles = (chat: Chat, { name, capabilities = {} }: Backend): void => {
  for (const message of chat) {
    const { role } = message;
    if (!sent.has(role)) {
      const known = Object.hasOwn(roles, role) ? roles[role] : undefined;
      throw known ? unhandledRole(message, known.purpose) : unknownRole(message);
    }
    if (role === 'image' && capabilities.images === false) throw unsupported('images', name, message);
    if (role === 'pdf' && capabilities.pdf === false) throw unsupported('PDF documents', name, message);
  }
};
