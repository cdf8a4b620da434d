import { type Chat, type Meta, parseMeta } from '@colophon/chat-format';

const evidence = new Set(['meta', 'previous_response_id']);
const replies = new Set(['assistant', 'function_call', 'mcp_call', 'function_call_output']);

const isOfRun = (role: string): boolean => evidence.has(role) || replies.has(role);

/** How a chat ends: the messages of the run that wrote its end, and what of them a new run has to do. */
export type Ending = {
  /** Where the messages begin that a run wrote: replies, outputs and evidence without anything between. */
  start: number;
  /** The last reply was recorded whole and asks for no tool: there is nothing to do. */
  finished: boolean;
  /** Texts of a last reply whose calls are missing. */
  torn: Chat;
  /** The fields of the last reply's meta. */
  meta?: Meta;
};

/**
 * Reads the end of a stored or compiled chat. A last reply is finished where it has a text and no calls, or where its meta says
 * `orphan=true` (it had no text). It is torn where its meta says `stop_reason=tool_calls` and there are no calls, or where the file
 * ends within its text (`torn`). Linear.
 */
export const readEnding = (chat: Chat, { torn: cut = false } = {}): Ending => {
  const start = chat.findLastIndex(({ role }) => !isOfRun(role)) + 1;
  const tail = chat.slice(start);
  const at = tail.findLastIndex(
    ({ role, content }) => role === 'meta' && parseMeta(content)['inference_id'] !== undefined,
  );
  const meta = at < 0 ? undefined : parseMeta(tail[at]!.content);
  const messages = tail.slice(at + 1).filter(({ role }) => replies.has(role));
  const isText = messages.every(({ role }) => role === 'assistant');
  const torn = meta && isText && (cut || meta['stop_reason'] === 'tool_calls') ? messages : [];
  const finished =
    messages.length === 0 && meta
      ? meta['orphan'] === 'true'
      : messages.at(-1)?.role === 'assistant' && torn.length === 0;
  return { start, finished, torn, ...(meta ? { meta } : {}) };
};
