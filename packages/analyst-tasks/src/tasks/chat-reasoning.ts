import type { Edge, EvidenceAddress } from '@colophon/provenance';
import { z } from 'zod';
import { parseAddress, printEvidenceAddress, realPath, shortPath } from '../address.js';
import { countBy, type MetaRecord, metaRecords, metaText } from '../meta-records.js';
import { createPlaces, isReceiptOnly } from '../receipts-of-calls.js';
import type { Session } from '../session.js';
import { type AnalystContext, defineTask } from '../task.js';
import { characters, digestOf, headOf, tailOf } from '../text.js';

const prefixLength = 80;
const suffixFrom = 110;

const itemSchema = z.object({
  origin: z.enum(['chat_meta', 'agent_meta']),
  address: z.string().describe('`path#index`, or `path#index[meta,entry]` of a receipt; `addresses` takes it'),
  inference_id: z.string().optional(),
  provider_response_id: z.string().optional(),
  timestamp: z.string().optional(),
  source: z.string(),
  call_id: z.string().nullish(),
  tool_name: z.string().nullish(),
  linked_job: z.string().optional().describe('the job that the receipt of the same output leads to'),
  receipt_only: z.boolean().describe('no saved chat has this inference'),
  characters: z.number().int(),
  fingerprint: z.string().optional().describe('12 hexadecimal digits of the MD5 of the text'),
  prefix: z.string().optional(),
  suffix: z.string().optional(),
  reasoning: z.string().optional().describe('the whole text, where it was asked for'),
});

/** A text as head and tail; the whole where it is short. */
const compact = (text: string, length: number) => ({
  fingerprint: digestOf(text, 'md5', 12),
  prefix: length > prefixLength ? `${headOf(text, prefixLength)}...` : text,
  ...(length > suffixFrom ? { suffix: `...${tailOf(text, prefixLength)}` } : {}),
});

const addressOf = (record: MetaRecord): EvidenceAddress =>
  (record.origin === 'chat_meta' ? record.metaAddress : record.evidenceAddress) as EvidenceAddress;

/** An address without the entry of a receipt, and that entry: `[meta,0]`, also written `[agent_meta,0]`. */
const splitEntry = (text: string): { message: string; entry: string } => {
  const [, message = text, entry] = /^(.*)\[(?:agent_)?meta,(\d+)\]$/s.exec(text) ?? [];
  return { message, entry: entry === undefined ? '' : `[meta,${entry}]` };
};

/** Addresses as they may be written, long or short or through links, as they are listed. */
const normalise = async (texts: readonly string[], context: AnalystContext): Promise<Set<string>> => {
  const found = texts.map(async (text) => {
    const { message, entry } = splitEntry(text);
    const { path, index } = parseAddress(message, context.home);
    return `${shortPath(await realPath(path, context), context.home)}#${index}${entry}`;
  });
  return new Set(await Promise.all(found));
};

/** The first job that the receipts of an output lead to. */
const linkedJobs = (session: Session) => {
  const jobs = createPlaces<Edge>();
  for (const edge of session.graph.edges) if (edge.detail) jobs.put(...edge.detail.outputAddress, () => edge);
  return jobs;
};

/** The reasoning that models left, with where it came from. */
export const chatReasoning = defineTask({
  name: 'chat_reasoning',
  description:
    'Every non-empty reasoning text of the session, from metas and from receipts, with its origin and address. Texts are cut to a fingerprint, head and tail; pass `addresses`, or set `full`, for whole ones.',
  root: 'session',
  input: z.object({
    addresses: z.array(z.string()).optional().describe('only these items, whole'),
    full: z.boolean().optional().describe('whole texts'),
  }),
  output: z.object({
    total: z.number().int(),
    by_origin: z.record(z.string(), z.number().int()),
    receipt_only: z.number().int(),
    items: z.array(itemSchema),
  }),
  check: ({ addresses = [] }, { home }) => {
    for (const address of addresses) parseAddress(splitEntry(address).message, home);
  },
  run: async (session, { addresses, full = false }) => {
    const { home } = session.context;
    const jobs = linkedJobs(session);
    const onlyInReceipts = new Set(
      session.events
        .filter(isReceiptOnly)
        .flatMap(({ evidence }) => evidence.map(({ address }) => printEvidenceAddress(address, home))),
    );
    const wanted = addresses && (await normalise(addresses, session.context));
    const all: z.input<typeof itemSchema>[] = [];
    for (const record of await metaRecords(session)) {
      const text = metaText(record.meta, 'reas');
      if (text === undefined || text.trim() === '') continue;
      const address = printEvidenceAddress(addressOf(record), home);
      const length = characters(text);
      const whole = full || wanted?.has(address) === true;
      const receipt = record.origin === 'agent_meta' ? record : undefined;
      const [path, output] = receipt ? (receipt.outputAddress as [string, number]) : [];
      const edge = path === undefined || output === undefined ? undefined : jobs.get(path, output);
      const job = edge && session.nodeOf(edge.to)?.path;
      const [inference, provider, timestamp] = ['inference_id', 'provider_response_id', 'timestamp'].map((key) =>
        metaText(record.meta, key),
      );
      all.push({
        origin: record.origin,
        address,
        ...(inference === undefined ? {} : { inference_id: inference }),
        ...(provider === undefined ? {} : { provider_response_id: provider }),
        ...(timestamp === undefined ? {} : { timestamp }),
        source: shortPath(record.source, home),
        ...(receipt ? { call_id: receipt.callId, tool_name: receipt.toolName } : {}),
        ...(job === undefined ? {} : { linked_job: shortPath(job, home) }),
        receipt_only: receipt !== undefined && onlyInReceipts.has(address),
        characters: length,
        ...(whole ? { reasoning: text } : compact(text, length)),
      });
    }
    return {
      total: all.length,
      by_origin: countBy(all, ({ origin }) => origin),
      receipt_only: all.filter(({ receipt_only }) => receipt_only).length,
      items: wanted ? all.filter(({ address }) => wanted.has(address)) : all,
    };
  },
});
