import type { RunToolContext } from '@colophon/backends';
import { parseCall } from '@colophon/chat-format';
import type { ToolContext } from '@colophon/tools';

/**
 * Tells a call from all others of its chat, and is the same when the call is taken up again: its id, with a number where the
 * provider gave that id before. Linear in the chat.
 */
export const callKey = ({
  callId,
  conversation,
}: Pick<ToolContext & RunToolContext, 'callId' | 'conversation'>): string => {
  const ids = conversation().flatMap(({ role, content }) => (role === 'function_call' ? [parseCall(content)?.id] : []));
  const count = ids.filter((id) => id === callId).length;
  return count > 1 ? `${callId} ${count}` : callId;
};
