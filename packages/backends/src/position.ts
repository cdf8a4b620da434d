import { type Chat, type Message, parseMeta } from '@colophon/chat-format';
import type { ReplyPosition } from './backend.js';

const isCall = (role: string): boolean => role === 'function_call' || role === 'mcp_call';

const isReply = (role: string): boolean => role === 'assistant' || isCall(role);

// A reply without text and calls left its meta alone.
const isOrphan = ({ role, content }: Message): boolean =>
  role === 'meta' && content.includes('orphan') && parseMeta(content)['orphan'] === 'true';

/**
 * Where a chat stands: how many turns (stretches of what is no reply, output or evidence, followed by a reply) came before, and
 * how many replies this turn has. A reply is a stretch of texts and calls that an output, a meta or a turn ends. Linear.
 */
export const positionOf = (chat: Chat): ReplyPosition => {
  let turn = 0;
  let reply = 0;
  let inReply = false;
  let answered = false;
  for (const message of chat) {
    const { role } = message;
    const orphan = isOrphan(message);
    if (isReply(role) || orphan) {
      if (!inReply || orphan) reply++;
      inReply = !orphan;
      answered = true;
    } else {
      inReply = false;
      if (role === 'function_call_output' || role === 'meta' || role === 'previous_response_id') continue;
      if (answered) {
        turn++;
        reply = 0;
      }
      answered = false;
    }
  }
  return { turn, reply };
};
