import {
  type Chat,
  type Message,
  type Meta,
  messageIndex,
  parseMeta,
  type ReceiptWarning,
  receiptEvidence,
  type ToolCallPair,
} from '@colophon/chat-format';
import type { ChatFacts, MetaFact, ReceiptFact } from './facts.js';
import { createIntern, type Intern } from './intern.js';
import { isPaid } from './paid.js';
import { tornWarning } from './torn.js';
import type { Warning } from './warning.js';

/** Longest text of a record that is kept, in UTF-16 units; what identifies or refers is kept whole. */
const longestText = 400;

const kept = new Set(['inference_id', 'provider_response_id', 'job']);

const cut = (text: string): string => {
  const end = /[\ud800-\udbff]/.test(text[longestText - 1] ?? '') ? longestText - 1 : longestText;
  return `${text.slice(0, end)}…`;
};

const underscore = 95;

const isDropped = (key: string): boolean =>
  key === 'reas' || (key.charCodeAt(key.length - 2) === underscore && (key.endsWith('_s') || key.endsWith('_c')));

/** A record as accounting needs it: without reasoning and running totals. */
const compact = (meta: Meta, intern: Intern): Meta => {
  const fields: Meta = {};
  for (const key in meta) {
    if (isDropped(key)) continue;
    const value = meta[key]!;
    if (typeof value !== 'string') fields[key] = value;
    else fields[key] = intern(value.length > longestText && !kept.has(key) ? cut(value) : value);
  }
  return fields;
};

// Receipts were parsed: their texts are no part of the file.
const own: Intern = (text) => text;

const has = (meta: Meta, key: string): boolean => meta[key] !== undefined && meta[key] !== '';

/** A paid inference that only its place in the conversation can identify. */
const needsLineage = (meta: Meta): boolean =>
  isPaid(meta) && !has(meta, 'inference_id') && !has(meta, 'provider_response_id');

const endsSegment = new Set(['meta', 'user', 'system']);

const isOrphan = (chat: readonly Message[], index: number): boolean => {
  const next = chat[index + 1];
  return next === undefined || endsSegment.has(next.role);
};

// What is nested without end is read, and can't be printed.
const print = (entry: unknown): string => {
  try {
    return JSON.stringify(entry) ?? '';
  } catch {
    return (Array.isArray(entry) ? '[' : '{').repeat(longestText + 1);
  }
};

/** What stood where a receipt was expected, as far as a person reads it. */
const shown = (entry: unknown): unknown => {
  const text = print(entry);
  return text.length <= longestText ? entry : cut(text);
};

const receiptWarning = (path: string, warning: ReceiptWarning): Warning => {
  const { code, callId, toolName, index, entry } = warning;
  const outputAddress = warning.outputAddress as [string, number];
  const evidenceAddress = index === undefined ? undefined : (warning.address as [string, number, 'meta', number]);
  return {
    code,
    message: `${code}: ${path}, message ${outputAddress[1]}, tool ${toolName}: ${warning.message}`,
    path,
    address: evidenceAddress ?? outputAddress,
    relation: 'agent_job',
    callId,
    toolName,
    outputAddress,
    ...(evidenceAddress ? { evidenceAddress, index: index! } : {}),
    entry: shown(entry),
  };
};

/**
 * What is kept of a chat, and what is wrong with it. `path` is put into the addresses. Linear in the length of the chat: histories
 * are hashed only where a paid inference has no id. `intern` may be shared by many chats; `calls` are the chat's, where they are
 * paired already.
 */
export const chatFacts = (
  chat: Chat,
  path: string,
  modified: number | null = null,
  intern: Intern = createIntern().intern,
  calls?: readonly ToolCallPair[],
): { facts: ChatFacts; warnings: Warning[] } => {
  const metas: MetaFact[] = [];
  const receipts: ReceiptFact[] = [];
  let legacy = -1;
  for (let index = 0; index < chat.length; index++) {
    const message = chat[index]!;
    if (message.role !== 'meta') continue;
    const meta = compact(parseMeta(message.content), intern);
    if (needsLineage(meta)) legacy = index;
    metas.push(isOrphan(chat, index) ? { index, meta, orphan: true } : { index, meta });
  }
  const { records, warnings } = receiptEvidence(chat, path, calls);
  for (const { evidenceAddress, index: entry, callId, toolName, meta } of records)
    receipts.push({ index: evidenceAddress[1] as number, entry, callId, toolName, meta: compact(meta, own) });
  if (legacy >= 0) {
    const entries = messageIndex(chat.slice(0, legacy + 1));
    for (const fact of metas) if (needsLineage(fact.meta)) fact.lineage = entries[fact.index]!.id;
  }
  const torn = tornWarning(chat, path);
  return {
    facts: { messages: chat.length, modified, metas, receipts },
    warnings: [...warnings.map((warning) => receiptWarning(path, warning)), ...(torn ? [torn] : [])],
  };
};
