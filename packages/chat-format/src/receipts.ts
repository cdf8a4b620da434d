import { type Address, addressOf, type EntryAddress, entryAddressOf } from './address.js';
import type { Message } from './message.js';
import { type Meta, parseMeta } from './meta.js';
import { pairToolCalls } from './tool-calls.js';
import { parseOutput } from './tool-messages.js';

type CallFacts = { callId: string | null; toolName: string | null; outputAddress: Address; source: string | null };

/** One inference record, or job reference, that a tool's output carries from a delegated agent. */
export type ReceiptRecord = CallFacts & {
  origin: 'agent_meta';
  meta: Meta;
  index: number;
  evidenceAddress: EntryAddress;
};

/** One `meta` message of a chat. */
export type ChatMetaRecord = { origin: 'chat_meta'; meta: Meta; metaAddress: Address; source: string | null };

/** A receipt that could not be read; `entry` is what stood there. The whole of a receipt has no `index`. */
export type ReceiptWarning = CallFacts & {
  code: 'not_an_array' | 'not_a_hash' | 'empty_meta';
  message: string;
  address: Address | EntryAddress;
  index?: number;
  entry: unknown;
};

/** A job that a receipt names as its producer. */
export type ReceiptJobReference = CallFacts & { job: string; index: number; evidenceAddress: EntryAddress };

const isField = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Fields as a `meta` line could hold them: truth values as text; nested values and nulls have no place there. */
const fieldsOf = (entry: object): Meta => {
  const values = Object.values(entry);
  if (values.every(isField)) return entry as Meta;
  const fields = Object.entries(entry).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]);
  return Object.fromEntries(fields.filter(([, value]) => isField(value)));
};

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;

/** Whether an output's JSON can have the key `meta`; escapes may hide it. Cheaper than to parse all outputs. */
const mayCarry = (content: unknown): boolean =>
  typeof content !== 'string' || content.includes('"meta"') || content.includes('\\u');

/** The tool of each output that has a call, by the output's index. */
const namesOf = (chat: readonly Message[]): Map<number, string> =>
  new Map(
    pairToolCalls(chat).flatMap((pair): [number, string][] =>
      typeof pair.outputAddress === 'number' ? [[pair.outputAddress, pair.name]] : [],
    ),
  );

/**
 * The receipts of a chat: the entries under the key `meta` of its outputs, whichever tool made them. Text is never searched
 * for receipts, and no other key is read. An output that carries some needs no call. Linear in the size of the chat.
 */
export const receiptEvidence = (
  chat: readonly Message[],
  source?: string,
): { records: ReceiptRecord[]; warnings: ReceiptWarning[] } => {
  const records: ReceiptRecord[] = [];
  const warnings: ReceiptWarning[] = [];
  let names: Map<number, string> | undefined;
  const nameAt = (index: number): string | undefined => {
    names ??= namesOf(chat);
    return names.get(index);
  };
  for (const [index, message] of chat.entries()) {
    if (message.role !== 'function_call_output' || !mayCarry(message.content)) continue;
    const output = parseOutput(message.content);
    if (!output || !('meta' in output)) continue;
    const outputAddress = addressOf(index, source);
    const facts: CallFacts = {
      callId: output.id ?? null,
      toolName: output.name ?? nameAt(index) ?? null,
      outputAddress,
      source: source ?? null,
    };
    if (!Array.isArray(output.meta)) {
      const message = `Receipt of call ${facts.callId} is ${typeName(output.meta)}, expected an array of objects.`;
      warnings.push({ ...facts, code: 'not_an_array', message, address: outputAddress, entry: output.meta });
      continue;
    }
    for (const [entryIndex, entry] of output.meta.entries()) {
      const evidenceAddress = entryAddressOf(index, entryIndex, source);
      const where = `Receipt entry ${entryIndex} of call ${facts.callId}`;
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
        const message = `${where} is ${typeName(entry)}, expected an object.`;
        warnings.push({ ...facts, code: 'not_a_hash', message, address: evidenceAddress, index: entryIndex, entry });
        continue;
      }
      const meta = fieldsOf(entry);
      if (Object.keys(meta).length === 0) {
        warnings.push({
          ...facts,
          code: 'empty_meta',
          message: `${where} has no field.`,
          address: evidenceAddress,
          index: entryIndex,
          entry,
        });
        continue;
      }
      records.push({ ...facts, origin: 'agent_meta', meta, index: entryIndex, evidenceAddress });
    }
  }
  return { records, warnings };
};

/** All inference records of a chat: its own `meta` messages first, also those without a field, then its receipts. */
export const metaEvidence = (
  chat: readonly Message[],
  source?: string,
): { records: (ChatMetaRecord | ReceiptRecord)[]; warnings: ReceiptWarning[] } => {
  const own = chat.flatMap((message, index): ChatMetaRecord[] =>
    message.role === 'meta'
      ? [
          {
            origin: 'chat_meta',
            meta: parseMeta(message.content),
            metaAddress: addressOf(index, source),
            source: source ?? null,
          },
        ]
      : [],
  );
  const receipts = receiptEvidence(chat, source);
  return { records: [...own, ...receipts.records], warnings: receipts.warnings };
};

/** The jobs that a chat's receipts name, each with the place of its evidence. */
export const receiptJobReferences = (
  chat: readonly Message[],
  source?: string,
): { references: ReceiptJobReference[]; warnings: ReceiptWarning[] } => {
  const { records, warnings } = receiptEvidence(chat, source);
  const references = records.flatMap(({ meta, origin: _, ...facts }): ReceiptJobReference[] =>
    typeof meta['job'] === 'string' && meta['job'] !== '' ? [{ job: meta['job'], ...facts }] : [],
  );
  return { references, warnings };
};
