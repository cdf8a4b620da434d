import { type Chat, parseMeta, roles } from '@colophon/chat-format';

const ofRun = new Set(['assistant', 'function_call', 'function_call_output', 'meta']);

/** Whether a text ends within a line: what stands last may have been cut off by a crash. */
export const endsTorn = (text: string): boolean => text !== '' && !text.endsWith('\n');

// …\n\nfunct          a header that lost its end reads as text of the user
//      ^^^^^ the whole last line, without a `user:` above it
const isPieceOfHeader = (text: string, content: string): boolean => {
  const start = text.lastIndexOf('\n') + 1;
  return (
    text.slice(start) === content &&
    !/(?:^|\n)user:$/.test(text.slice(Math.max(0, start - 200), start).trimEnd()) &&
    Object.keys(roles).some((role) => `${role}:`.startsWith(content))
  );
};

/**
 * The chat of a text that ends within a line, without a last message that is only the beginning of what a run was writing: a meta
 * without its id, or a piece of a header. The file keeps it.
 */
export const withoutPiece = (chat: Chat, text: string): Chat => {
  const last = chat.at(-1);
  if (!last || !endsTorn(text)) return chat;
  const before = chat.at(-2)?.role ?? '';
  const isPiece =
    last.role === 'meta'
      ? parseMeta(last.content)['inference_id'] === undefined
      : last.role === 'user' && ofRun.has(before) && isPieceOfHeader(text, last.content);
  return isPiece ? chat.slice(0, -1) : chat;
};
