import { type Address, addressOf, type EntryAddress, entryAddressOf } from './address.js';
import type { Message } from './message.js';
import { type Meta, parseMeta } from './meta.js';
import { pairCalls, type ToolCallPair } from './tool-calls.js';
import { type ParsedOutput, parseOutput } from './tool-messages.js';

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

const hasOnlyFields = (entry: object): boolean => {
  for (const key in entry) if (!isField((entry as Record<string, unknown>)[key])) return false;
  return true;
};

const isEmpty = (fields: Meta): boolean => {
  for (const _ in fields) return false;
  return true;
};

/** Fields as a `meta` line could hold them: truth values as text; nested values and nulls have no place there. */
const fieldsOf = (entry: unknown): Meta | undefined => {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  if (hasOnlyFields(entry)) return entry as Meta;
  const fields = Object.entries(entry).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]);
  return Object.fromEntries(fields.filter(([, value]) => isField(value)));
};

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;

/** Whether an output's JSON can have the key `meta`; escapes may hide it. Cheaper than to parse all outputs. */
const mayCarry = (content: unknown): boolean =>
  typeof content !== 'string' || content.includes('"meta"') || content.includes('\\u');

/** The tool of each output that has a call, by the output's index. `outputs` are those that were parsed already. */
const namesOf = (chat: readonly Message[], outputs: ReadonlyMap<number, ParsedOutput>): Map<number, string> => {
  const names = new Map<number, string>();
  for (const { outputAddress, name } of pairCalls(chat, undefined, outputs))
    if (typeof outputAddress === 'number') names.set(outputAddress, name);
  return names;
};

const receiptWarning = (facts: CallFacts, entry: unknown): ReceiptWarning => ({
  ...facts,
  code: 'not_an_array',
  message: `Receipt of call ${facts.callId} is ${typeName(entry)}, expected an array of objects.`,
  address: facts.outputAddress,
  entry,
});

const entryWarning = (facts: CallFacts, index: number, entry: unknown, address: EntryAddress): ReceiptWarning => {
  const where = `Receipt entry ${index} of call ${facts.callId}`;
  return fieldsOf(entry)
    ? { ...facts, code: 'empty_meta', message: `${where} has no field.`, address, index, entry }
    : {
        ...facts,
        code: 'not_a_hash',
        message: `${where} is ${typeName(entry)}, expected an object.`,
        address,
        index,
        entry,
      };
};

const byOutput = (calls: readonly ToolCallPair[]): Map<number, ToolCallPair> => {
  const pairs = new Map<number, ToolCallPair>();
  for (const pair of calls) {
    const address = pair.outputAddress;
    if (address !== null) pairs.set(typeof address === 'number' ? address : address[1], pair);
  }
  return pairs;
};

/**
 * The receipts of a chat: the entries under the key `meta` of its outputs, whichever tool made them. Text is never searched
 * for receipts, and no other key is read. An output that carries some needs no call. `calls` are those of the chat, where they
 * are paired already: no output is then parsed twice. Linear in the size of the chat.
 */
export const receiptEvidence = (
  chat: readonly Message[],
  source?: string,
  calls?: readonly ToolCallPair[],
): { records: ReceiptRecord[]; warnings: ReceiptWarning[] } => {
  const records: ReceiptRecord[] = [];
  const warnings: ReceiptWarning[] = [];
  const pairs = calls && byOutput(calls);
  const outputs = new Map<number, ParsedOutput>();
  for (let index = 0; index < chat.length; index++) {
    const { role, content } = chat[index]!;
    if (role !== 'function_call_output') continue;
    const envelope = pairs?.get(index)?.envelope;
    if (envelope ? !Object.hasOwn(envelope, 'meta') : !mayCarry(content)) continue;
    const output = parseOutput(envelope ?? content);
    if (output && 'meta' in output) outputs.set(index, output);
  }
  let names: Map<number, string> | undefined;
  const nameAt = (index: number): string | undefined => {
    if (pairs) return pairs.get(index)?.name;
    names ??= namesOf(chat, outputs);
    return names.get(index);
  };
  for (const [at, output] of outputs) {
    const callId = output.id ?? null;
    const toolName = output.name ?? nameAt(at) ?? null;
    const outputAddress = addressOf(at, source);
    const facts: CallFacts = { callId, toolName, outputAddress, source: source ?? null };
    if (!Array.isArray(output.meta)) {
      warnings.push(receiptWarning(facts, output.meta));
      continue;
    }
    for (const [index, entry] of output.meta.entries()) {
      const evidenceAddress = entryAddressOf(at, index, source);
      const meta = fieldsOf(entry);
      if (!meta || isEmpty(meta)) warnings.push(entryWarning(facts, index, entry, evidenceAddress));
      // Written out: a spread costs more than all the rest, and receipts have thousands of entries.
      else
        records.push({
          origin: 'agent_meta',
          meta,
          index,
          evidenceAddress,
          callId,
          toolName,
          outputAddress,
          source: facts.source,
        });
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
