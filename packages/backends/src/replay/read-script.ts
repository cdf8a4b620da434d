import {
  type Chat,
  type Message,
  type Meta,
  parseCall,
  parseMeta,
  type Tokens,
  tokenFields,
} from '@colophon/chat-format';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { toTokens } from '../check-reply.js';

/** The replies of each turn of a recorded conversation. */
export type Script = Reply[][];

type Draft = { meta?: Meta; messages: Message[]; calls: ReplyCall[] };

const usageOf = (meta: Meta): Tokens =>
  Object.fromEntries(tokenFields.flatMap((field) => (typeof meta[field] === 'number' ? [[field, meta[field]]] : [])));

const toReply = ({ meta = {}, messages, calls }: Draft): Reply => {
  const usage = usageOf(meta);
  const text = (key: string) => (meta[key] === undefined ? undefined : String(meta[key]));
  return {
    messages,
    calls,
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
    ...(text('provider_response_id') === undefined ? {} : { id: text('provider_response_id')! }),
    ...(text('reas') === undefined ? {} : { reasoning: text('reas')! }),
    ...(text('stop_reason') === undefined ? {} : { stopReason: text('stop_reason') as StopReason }),
    ...(text('model') === undefined ? {} : { model: text('model')! }),
  };
};

const isEmpty = ({ messages, calls }: Draft): boolean => messages.length === 0 && calls.length === 0;

/**
 * Reads the replies out of a recorded chat, turn by turn: texts, calls, and the usage, reasoning and stop reason of the meta in
 * front of them. A meta without a message is a reply only where it says `orphan=true`: else the run was killed before it.
 */
export const readScript = (chat: Chat): Script => {
  const script: Script = [[]];
  let draft: Draft | undefined;
  const close = () => {
    if (draft && (!isEmpty(draft) || draft.meta?.['orphan'] === 'true')) script.at(-1)!.push(toReply(draft));
    draft = undefined;
  };
  for (const message of chat) {
    const { role, content } = message;
    if (role === 'meta') {
      close();
      draft = { meta: parseMeta(content), messages: [], calls: [] };
    } else if (role === 'assistant') {
      draft ??= { messages: [], calls: [] };
      draft.messages.push({ role, content });
    } else if (role === 'function_call') {
      const call = parseCall(content);
      draft ??= { messages: [], calls: [] };
      if (call) draft.calls.push({ id: call.id ?? '', name: call.name, arguments: call.arguments });
    } else {
      close();
      if (role === 'function_call_output' || role === 'previous_response_id') continue;
      if (script.at(-1)!.length > 0) script.push([]);
    }
  }
  close();
  return script;
};

/** A reply as tests write it: text alone, or any part of a reply with raw usage. */
export type ScriptedReply = string | (Partial<Omit<Reply, 'messages'>> & { text?: string; messages?: Message[] });

/** Completes replies as they are written by hand. */
export const toReplies = (replies: readonly ScriptedReply[]): Reply[] =>
  replies.map((given) => {
    if (typeof given === 'string') return { messages: [{ role: 'assistant', content: given }], calls: [] };
    const { text, messages = [], calls = [], usage, ...rest } = given;
    const written = text === undefined ? messages : [{ role: 'assistant', content: text }, ...messages];
    return { ...rest, messages: written, calls, ...(usage ? { usage: toTokens(usage) } : {}) };
  });
