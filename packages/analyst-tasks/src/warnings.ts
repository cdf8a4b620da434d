import type { Warning } from '@colophon/provenance';
import { z } from 'zod';
import { shortAddress, shortPath } from './address.js';

/** An address of evidence: a file, `[path, message]`, or `[path, message, "meta", entry]`. */
export const evidenceAddressSchema = z
  .union([z.string(), z.array(z.union([z.string(), z.number()]))])
  .describe('a file, [path, message], or [path, message, "meta", entry] of a receipt');

/** A warning as reports show it. */
export const warningSchema = z
  .object({
    reason: z.string().describe('what is wrong, as a word'),
    message: z.string().optional().describe('the same in a sentence'),
    kind: z.string().optional(),
    relation: z.string().optional(),
    path: z.string().optional(),
    call_id: z.string().nullish(),
    tool_name: z.string().nullish(),
    output_address: evidenceAddressSchema.optional(),
    evidence_address: evidenceAddressSchema.optional(),
    reference: z.string().optional().describe('the job that could not be found'),
    error: z.string().optional(),
    malformed: z.unknown().optional(),
    identity: z.unknown().optional(),
    fields: z.array(z.string()).optional(),
    values: z.unknown().optional(),
  })
  .loose();

export type ReportWarning = z.input<typeof warningSchema>;

const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** A warning in the field names of the reports, paths short. */
export const toReportWarning = (warning: Warning, home: string | undefined): ReportWarning => {
  const { code, message, path, address, relation, callId, toolName, outputAddress, evidenceAddress } = warning;
  const evidence = evidenceAddress ?? (Array.isArray(address) ? address : undefined);
  return defined({
    reason: code,
    message,
    path: shortPath(path, home),
    relation,
    call_id: callId,
    tool_name: toolName,
    output_address: outputAddress && (shortAddress(outputAddress, home) as (string | number)[]),
    evidence_address: evidence && (shortAddress(evidence, home) as (string | number)[]),
    reference: warning.reference,
    malformed: warning.entry,
    identity: warning.identity,
    fields: warning.fields,
    values: warning.values,
  });
};
