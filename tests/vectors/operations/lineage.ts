import { messageIndex, traceSegments } from '@colophon/chat-format';
import type { Json, Operation } from '../vector.js';
import { chatOf, toChat } from './chat-of.js';

/** Ids of messages, and the segments that inferences made. */
export const lineage: Record<string, Operation> = {
  message_index: (input) => {
    const entries = messageIndex(chatOf(input), input.source);
    const places = new Map(entries.flatMap(({ id, role }, index) => (role === 'meta' ? [] : [[id, index] as const])));
    return {
      entries: entries.map(({ id, previous, role, address, meta }) => ({
        role,
        address,
        meta,
        fingerprint: id,
        fingerprint_length: id.length,
        prev: previous === null ? null : places.get(previous),
      })),
    };
  },
  lineage_equality: ({ chats, pairs }) => {
    const ids = chats.map((given: Json) => messageIndex(toChat(given)).map(({ id }) => id));
    return { equal: pairs.map(([[a, i], [b, j]]: [[number, number], [number, number]]) => ids[a][i] === ids[b][j]) };
  },
  trace: ({ chats, sources, deduplicate }) => {
    const inputs = sources
      ? sources.map(([source, given]: [string, Json]) => ({ source, chat: toChat(given) }))
      : chats.map((given: Json) => ({ chat: toChat(given) }));
    return {
      segments: traceSegments(inputs, deduplicate === undefined ? {} : { deduplicate }).map((segment) => ({
        meta: segment.meta,
        messages: segment.messageAddresses.length,
        orphan: segment.orphan,
        deduplication: segment.deduplication,
        inference_id: segment.inferenceId,
        meta_address: segment.metaAddress,
        message_addresses: segment.messageAddresses,
      })),
    };
  },
};
