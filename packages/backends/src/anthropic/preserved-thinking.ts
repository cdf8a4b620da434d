import { createHash } from 'node:crypto';
import { isRecord } from '../shape.js';
import type { AnthropicMessage, Block } from './to-messages.js';

const isThinking = (block: Block): boolean => block.type === 'thinking' || block.type === 'redacted_thinking';

/** A message without what may differ between two requests that are the same to the provider: thinking and cache marks. */
const bare = (value: unknown): string =>
  JSON.stringify(value, (key, inner) =>
    key === 'cache_control'
      ? undefined
      : Array.isArray(inner)
        ? inner.filter((item) => !(isRecord(item) && isThinking(item as Block)))
        : inner,
  );

type Prefix = { system?: unknown; tools?: unknown; messages?: unknown };

const begin = ({ system, tools }: Prefix) => createHash('sha256').update(bare({ system, tools }));

/** Digest of all that stands before the reply to a request. */
export const prefixOf = (request: Prefix): string => {
  const hash = begin(request);
  for (const message of Array.isArray(request.messages) ? request.messages : []) hash.update(bare(message));
  return hash.digest('hex');
};

/**
 * Leaves out the thinking blocks before which anything has changed since they were written (a shortened tool output, other
 * tools): newer models refuse those. What stays was written behind exactly this prefix. Linear in the length of the request.
 * Source: platform.claude.com/docs/en/build-with-claude/preserved-thinking.
 */
export const dropChanged = (
  request: Prefix & { messages: AnthropicMessage[] },
  kept: ReadonlyMap<Block, string>,
): AnthropicMessage[] => {
  if (kept.size === 0) return request.messages;
  const hash = begin(request);
  return request.messages.map((message) => {
    const prefix = message.role === 'assistant' ? hash.copy().digest('hex') : undefined;
    hash.update(bare(message));
    return {
      ...message,
      content: message.content.filter((block) => !isThinking(block) || !kept.has(block) || kept.get(block) === prefix),
    };
  });
};

/** The same messages without any thinking. */
export const dropThinking = (messages: readonly AnthropicMessage[]): AnthropicMessage[] =>
  messages.map((message) => ({ ...message, content: message.content.filter((block) => !isThinking(block)) }));

/**
 * Whether the assistant turn of the tool loop that is under way begins with thinking, as a fixed thinking budget demands; true
 * where no loop is under way. A chat that is resumed from a file has none: signatures are kept in memory only.
 */
export const loopThinks = (messages: readonly AnthropicMessage[]): boolean => {
  const last = messages.at(-1);
  if (last?.role !== 'user' || !last.content.some((block) => block.type === 'tool_result')) return true;
  const first = messages.at(-2)?.content[0];
  return first !== undefined && isThinking(first);
};
