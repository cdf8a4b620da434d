import { type Chat, normalizeUsage } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { readArguments } from '../call-arguments.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { withCarry } from '../carry.js';
import { emptyReply } from '../provider-error.js';
import { joinReasoning } from '../reasoning-text.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { fromWireName } from '../wire-names.js';

/** The chunks of a streamed reply as the one that a plain request gets. */
export const joinChunks = (chunks: readonly unknown[]): Record<string, unknown> => {
  const records = recordsOf(chunks);
  const messages = records.map((chunk) => (isRecord(chunk['message']) ? chunk['message'] : {}));
  const joined = (field: string) => messages.map((message) => textOf(message[field]) ?? '').join('');
  const calls = messages.flatMap((message) => recordsOf(message['tool_calls']));
  const thinking = joined('thinking');
  return {
    ...records.at(-1),
    message: {
      role: 'assistant',
      content: joined('content'),
      ...(thinking === '' ? {} : { thinking }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  };
};

/** An entry of `tool_calls` as name and arguments; older servers give no id, then one is made that is the same for the same call. */
const readToolCall = (
  entry: Record<string, unknown>,
  taken: Set<string> = new Set(),
): { id: string; name: string; arguments: unknown } => {
  const inner = isRecord(entry['function']) ? entry['function'] : entry;
  const name = textOf(inner['name']) ?? '';
  const args = readArguments(inner['arguments']);
  return { id: textOf(entry['id']) || makeCallId(name, args, taken), name, arguments: args };
};

/** The model's thinking. Undefined for a reply without any, or of any other shape. */
const readReasoning = (raw: unknown): string | undefined =>
  joinReasoning([isRecord(raw) && isRecord(raw['message']) ? raw['message']['thinking'] : undefined]);

const doneReasons: Record<string, StopReason> = { stop: 'stop', length: 'length' };

/**
 * Reads a reply of Ollama's chat API, whole or as the list of its chunks. Throws where there is no message. Source:
 * `ChatResponse` of ollama 0.6.4; `prompt_eval_count` and `eval_count` are the usage.
 */
export const fromReply = (given: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  const raw = Array.isArray(given) && given.length > 0 ? joinChunks(given) : given;
  if (!isRecord(raw) || !isRecord(raw['message'])) throw emptyReply();
  const { message } = raw;
  const entries = recordsOf(message['tool_calls']);
  const taken = entries.length > 0 ? takenIds(chat) : new Set<string>();
  const thinking = textOf(message['thinking']);
  const calls: ReplyCall[] = entries.map((entry, index) => {
    const call = readToolCall(entry, taken);
    return {
      ...call,
      name: fromWireName(call.name, tools),
      ...withCarry('ollama', index === 0 && thinking ? thinking : undefined),
    };
  });
  const text = textOf(message['content']) ?? '';
  const done = textOf(raw['done_reason']);
  const stopReason =
    calls.length > 0 && done !== 'length'
      ? 'tool_calls'
      : done === undefined
        ? undefined
        : (doneReasons[done] ?? 'other');
  const usage = normalizeUsage({ prompt_eval_count: raw['prompt_eval_count'], eval_count: raw['eval_count'] });
  const reasoning = readReasoning(raw);
  const model = textOf(raw['model']);
  return {
    messages: text === '' ? [] : [{ role: 'assistant', content: text }],
    calls,
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(model ? { model } : {}),
  };
};
