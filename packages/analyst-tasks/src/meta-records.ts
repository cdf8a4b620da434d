import { type ChatMetaRecord, metaEvidence, type ReceiptRecord } from '@colophon/chat-format';
import { isPaid } from '@colophon/provenance';
import type { Session } from './session.js';

/** A metadata record where it stands. `source` is the real path of the chat. */
export type MetaRecord = (Omit<ChatMetaRecord, 'source'> | Omit<ReceiptRecord, 'source'>) & { source: string };

/** What a record is: a paid inference, a marker of the job that an answer came from, or something else. */
export type Classification = 'direct' | 'job_projection' | 'other';

/** Says what a record is. */
export const classify = (meta: MetaRecord['meta']): Classification =>
  meta['job'] !== undefined ? 'job_projection' : isPaid(meta) ? 'direct' : 'other';

/** Every metadata record of a session, whole: chat by chat, metas before receipts. Each chat is read once. */
export const metaRecords = async ({ chats, messages, context }: Session): Promise<MetaRecord[]> => {
  const records: MetaRecord[] = [];
  for (const { path } of chats) {
    context.signal?.throwIfAborted();
    for (const record of metaEvidence(await messages(path), path).records) records.push({ ...record, source: path });
  }
  return records;
};

/** A field as text; undefined where it is absent or empty. */
export const metaText = (meta: MetaRecord['meta'], key: string): string | undefined => {
  const value = meta[key];
  return value === undefined || value === '' ? undefined : String(value);
};

/** How many there are of each. */
export const countBy = <T>(list: Iterable<T>, key: (one: T) => string): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return Object.fromEntries(counts);
};
