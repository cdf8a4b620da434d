import type { Warning } from '@colophon/provenance';
import { z } from 'zod';
import { shortAddress, shortPath } from '../address.js';
import { classify, countBy, type MetaRecord, metaRecords, metaText } from '../meta-records.js';
import type { Session } from '../session.js';
import { shortMeta } from '../short-meta.js';
import { defineTask } from '../task.js';
import { toReportWarning, warningSchema } from '../warnings.js';

const place = z.array(z.union([z.string(), z.number()]));

const recordSchema = z.object({
  origin: z.enum(['chat_meta', 'agent_meta']),
  meta: z.record(z.string(), z.unknown()).describe('its fields; long texts cut unless `full` is set'),
  source: z.string().describe('the chat'),
  classification: z
    .enum(['direct', 'job_projection', 'other'])
    .describe('a paid inference, a marker of the job behind an answer, or something else'),
  job: z.string().optional(),
  inference_id: z.string().optional(),
  provider_response_id: z.string().optional(),
  meta_address: place.optional().describe('[path, message]'),
  call_id: z.string().nullish(),
  tool_name: z.string().nullish(),
  output_address: place.optional(),
  evidence_address: place.optional().describe('[path, message, "meta", entry]'),
  warnings: z.array(warningSchema).optional().describe('what is wrong with this entry of a receipt'),
  raw_message: z.unknown().optional().describe('the whole entry of a receipt, with `full`'),
});

type List = (string | number)[];

/** What is wrong with single entries of receipts. One pass over the warnings. */
const warningsOfEntries = ({ warnings }: Session): ((record: MetaRecord) => readonly Warning[]) => {
  const byEntry = new Map<string, Warning[]>();
  for (const warning of warnings) {
    const key = JSON.stringify(warning.evidenceAddress);
    if (key === undefined) continue;
    const list = byEntry.get(key);
    if (list) list.push(warning);
    else byEntry.set(key, [warning]);
  }
  return (record) => (record.origin === 'agent_meta' && byEntry.get(JSON.stringify(record.evidenceAddress))) || [];
};

const toRecord = (
  record: MetaRecord,
  warnings: readonly Warning[],
  full: boolean,
  home: string | undefined,
): z.input<typeof recordSchema> => {
  const { meta, source, origin } = record;
  const [job, inference, provider] = ['job', 'inference_id', 'provider_response_id'].map((key) => metaText(meta, key));
  const common = {
    origin,
    meta: full ? meta : shortMeta(meta),
    source: shortPath(source, home),
    classification: classify(meta),
    ...(job === undefined ? {} : { job: shortPath(job, home) }),
    ...(inference === undefined ? {} : { inference_id: inference }),
    ...(provider === undefined ? {} : { provider_response_id: provider }),
  };
  const shown = (address: unknown) => shortAddress(address as [string, number], home) as List;
  if (record.origin === 'chat_meta') return { ...common, meta_address: shown(record.metaAddress) };
  return {
    ...common,
    call_id: record.callId,
    tool_name: record.toolName,
    output_address: shown(record.outputAddress),
    evidence_address: shown(record.evidenceAddress),
    ...(warnings.length > 0 ? { warnings: warnings.map((warning) => toReportWarning(warning, home)) } : {}),
    ...(full ? { raw_message: meta } : {}),
  };
};

/** All metadata records of a session: metas of chats, and entries of receipts. */
export const metaEvidence = defineTask({
  name: 'meta_evidence',
  description:
    'Every metadata record of the session: `chat_meta` is a meta message of a chat, `agent_meta` an entry of a receipt inside an output, which is no message of that chat. Each says what it is and where it stands; `full` gives whole texts. Counts describe the whole session; `origin` narrows the list alone.',
  root: 'session',
  input: z.object({
    origin: z.enum(['chat_meta', 'agent_meta']).optional().describe('only records of this origin'),
    full: z.boolean().optional().describe('do not cut long texts'),
  }),
  output: z.object({
    total: z.number().int(),
    by_origin: z.record(z.string(), z.number().int()),
    by_classification: z.record(z.string(), z.number().int()),
    records: z.array(recordSchema),
    warnings: z.array(warningSchema),
  }),
  run: async (session, { origin, full = false }) => {
    const { home } = session.context;
    const all = await metaRecords(session);
    const warningsOf = warningsOfEntries(session);
    const chosen = origin === undefined ? all : all.filter((record) => record.origin === origin);
    return {
      total: all.length,
      by_origin: countBy(all, (record) => record.origin),
      by_classification: countBy(all, ({ meta }) => classify(meta)),
      records: chosen.map((record) => toRecord(record, warningsOf(record), full, home)),
      warnings: session.warnings.map((warning) => toReportWarning(warning, home)),
    };
  },
});
