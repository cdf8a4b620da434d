import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Address, addressOf } from './address.js';
import type { Message } from './message.js';
import { type Meta, parseMeta } from './meta.js';

/** A message's place in the history of its chat. */
export type IndexEntry = {
  /** `sha256:` and 64 hexadecimal digits. */
  id: string;
  /** Id of the last message before it that is not a `meta`; null for the first. */
  previous: string | null;
  role: string;
  address: Address;
  /** The fields of a `meta` message. */
  meta?: Meta;
};

/** A `meta` and the messages that the inference it records produced. */
export type Segment = {
  /** Lineage id of the `meta` message. */
  id: string;
  /** Without `reas`. */
  meta: Meta;
  inferenceId: string | null;
  /** What tells copies of it apart. */
  deduplication: 'inference_id' | 'legacy_lineage';
  /** It covers no message. */
  orphan: boolean;
  metaAddress: Address;
  messageAddresses: Address[];
};

const contentText = (content: unknown): string =>
  typeof content === 'string' ? content : content === null || content === undefined ? '' : JSON.stringify(content);

/**
 * Lineage id of a message. Contract: `sha256:` and the lower-case hexadecimal SHA-256 of the UTF-8 bytes of the JSON text, as
 * `JSON.stringify` prints it without white space, of the array `[previous, role, content]`, where `previous` is the id of the
 * last message before it that is not a `meta`, or null. Content that is not text counts as it is printed. Nothing else enters:
 * no path, no time, no other key of the message.
 */
export const lineageId = (previous: string | null, role: string, content: unknown): string =>
  `sha256:${bytesToHex(sha256(utf8ToBytes(JSON.stringify([previous, role, contentText(content)]))))}`;

/**
 * Gives every message an id that stands for it and the whole history before it, wherever its file lies. A `meta` has an id,
 * made from the message before it, but is no part of the chain: with or without metas the other ids are the same.
 */
export const messageIndex = (chat: readonly Message[], source?: string): IndexEntry[] => {
  let previous: string | null = null;
  return chat.map((message, index): IndexEntry => {
    const id = lineageId(previous, message.role, message.content);
    const entry: IndexEntry = { id, previous, role: message.role, address: addressOf(index, source) };
    if (message.role === 'meta') return { ...entry, meta: parseMeta(contentText(message.content)) };
    previous = id;
    return entry;
  });
};

const segmentsOf = (chat: readonly Message[], source: string | undefined): Segment[] => {
  const segments: Segment[] = [];
  let current: Segment | undefined;
  for (const entry of messageIndex(chat, source)) {
    if (entry.meta) {
      const { reas: _, ...meta } = entry.meta;
      const inferenceId =
        meta['inference_id'] === undefined || meta['inference_id'] === '' ? null : String(meta['inference_id']);
      current = {
        id: entry.id,
        meta,
        inferenceId,
        deduplication: inferenceId === null ? 'legacy_lineage' : 'inference_id',
        orphan: true,
        metaAddress: entry.address,
        messageAddresses: [],
      };
      segments.push(current);
    } else if (entry.role === 'user' || entry.role === 'system') {
      current = undefined;
    } else if (current) {
      current.orphan = false;
      current.messageAddresses.push(entry.address);
    }
  }
  return segments;
};

const identityOf = (segment: Segment): string =>
  segment.inferenceId === null ? segment.id : `${'job' in segment.meta ? 'job' : 'direct'} ${segment.inferenceId}`;

/**
 * Cuts chats into segments: each runs from a `meta` to the next `meta`, user or system message, or the end. Of copies, by
 * `inference_id` or, in records that have none, by lineage id, the first is kept, unless `deduplicate` is false; a job marker is never
 * a copy of a direct record. Linear in the size of the chats.
 */
export const traceSegments = (
  sources: readonly { chat: readonly Message[]; source?: string }[],
  { deduplicate = true }: { deduplicate?: boolean } = {},
): Segment[] => {
  const seen = new Set<string>();
  return sources
    .flatMap(({ chat, source }) => segmentsOf(chat, source))
    .filter((segment) => {
      const identity = identityOf(segment);
      if (deduplicate && seen.has(identity)) return false;
      seen.add(identity);
      return true;
    });
};
