/// <reference lib="es2024.string" />
import { type Chat, type Message, parseCall, parseOutput } from '@colophon/chat-format';
import { unknownRole, unreadableMessage } from './errors.js';

/** A call as it stands in a request. `arguments` is a JSON value, or the text of what is no JSON. `index` is the message's. */
export type CallPart = { id: string; name: string; arguments: unknown; message: Message; index: number };

/** The output of a call; `failed` where its envelope says so. */
export type OutputPart = {
  id: string;
  name?: string;
  content: string;
  failed: boolean;
  message: Message;
  index: number;
};

/** What a user turn is made of. An attachment's `message.content` is a path, an address or a data URI. */
export type UserPart =
  | { kind: 'text'; text: string; message: Message; index: number }
  | { kind: 'image' | 'pdf'; message: Message; index: number };

/** A chat as all providers see it: calls that were made in parallel are one turn, with their outputs in the order of the calls. */
export type Turn =
  | { kind: 'system'; text: string; message: Message; index: number }
  | { kind: 'assistant'; text: string; message: Message; index: number }
  | { kind: 'user'; parts: UserPart[] }
  | { kind: 'tools'; calls: CallPart[]; outputs: OutputPart[] };

/** Evidence in a chat: read by people and reports, never sent. */
const evidence = new Set(['meta', 'previous_response_id']);

const printed = (content: unknown): string => {
  if (typeof content === 'string') return content.toWellFormed();
  return content === undefined || content === null ? '' : JSON.stringify(content);
};

const toCall = (message: Message, index: number, unnamed: number): CallPart => {
  const call = parseCall(message.content);
  if (!call) throw unreadableMessage(message, 'JSON like {"name":"search","arguments":{},"id":"call_1"}');
  return { id: call.id ?? `call_${unnamed}`, name: call.name, arguments: call.arguments, message, index };
};

/** A group of parallel calls while it is read: `next` is the first call that may have no output yet. */
type OpenGroup = Extract<Turn, { kind: 'tools' }> & { answered: Set<string>; next: number };

const openCall = (group: OpenGroup): CallPart | undefined => {
  while (group.next < group.calls.length && group.answered.has(group.calls[group.next]!.id)) group.next++;
  return group.calls[group.next];
};

const addOutput = (group: OpenGroup, message: Message, index: number): void => {
  const output = parseOutput(message.content);
  // Without an id it answers the first call of its group that has no output yet.
  const id = output?.id ?? openCall(group)?.id;
  if (id === undefined)
    throw unreadableMessage(message, 'JSON with the `id` of its call, like {"id":"call_1","content":"…"}');
  const content = printed(output ? output.content : message.content);
  const failed = output?.error !== undefined && output.error !== 'truncated';
  group.answered.add(id);
  group.outputs.push({
    id,
    content,
    failed,
    message,
    index,
    ...(output?.name === undefined ? {} : { name: output.name }),
  });
};

const inCallOrder = (turn: Turn): Turn => {
  if (turn.kind !== 'tools') return turn;
  const place = new Map(turn.calls.map((call, index) => [call.id, index]));
  const rank = (output: OutputPart) => place.get(output.id) ?? turn.calls.length;
  return { kind: 'tools', calls: turn.calls, outputs: [...turn.outputs].sort((a, b) => rank(a) - rank(b)) };
};

const isMedia = (part: UserPart): boolean => part.kind !== 'text';

const addUserPart = (turns: Turn[], part: UserPart): void => {
  const last = turns.at(-1);
  if (last?.kind === 'user' && (isMedia(part) || last.parts.some(isMedia))) last.parts.push(part);
  else turns.push({ kind: 'user', parts: [part] });
};

/**
 * Reads a prepared chat into turns. Evidence is left out; a role that no model can be sent is the error `unknown_role`, a call
 * without a name `unreadable_message`. Text beside an attachment joins its turn. Linear in the number of messages.
 */
export const toTurns = (chat: Chat): Turn[] => {
  const turns: Turn[] = [];
  let group: OpenGroup | undefined;
  let unnamed = 0;
  const openGroup = (): OpenGroup => {
    const opened: OpenGroup = { kind: 'tools', calls: [], outputs: [], answered: new Set(), next: 0 };
    turns.push(opened);
    return opened;
  };
  for (const [index, message] of chat.entries()) {
    const { role } = message;
    if (evidence.has(role)) continue;
    if (role === 'function_call' || role === 'mcp_call') {
      const call = toCall(message, index, unnamed);
      if (call.id === `call_${unnamed}`) unnamed++;
      if (!group || group.outputs.length > 0) group = openGroup();
      group.calls.push(call);
    } else if (role === 'function_call_output') {
      group ??= openGroup();
      addOutput(group, message, index);
    } else {
      group = undefined;
      if (role === 'system' || role === 'assistant')
        turns.push({ kind: role, text: printed(message.content), message, index });
      else if (role === 'user') addUserPart(turns, { kind: 'text', text: printed(message.content), message, index });
      else if (role === 'image' || role === 'pdf') addUserPart(turns, { kind: role, message, index });
      else throw unknownRole(message);
    }
  }
  return turns.map(inCallOrder);
};

/** Index of the first turn after the last user turn: where the tool loop that is under way began. */
export const loopStart = (turns: readonly Turn[]): number => turns.findLastIndex((turn) => turn.kind === 'user') + 1;
