import type { Evidence, TokenEvent } from '@colophon/provenance';
import { z } from 'zod';
import { printEvidenceAddress, shortAddress, shortPath } from './address.js';
import { allFields, tokensSchema } from './tokens.js';
import { evidenceAddressSchema } from './warnings.js';

const place = z.array(z.union([z.string(), z.number()]));

const evidenceSchema = z.object({
  origin: z.enum(['chat_meta', 'agent_meta']).describe('a meta message, or an entry of a receipt'),
  source: z.string().describe('the chat'),
  meta_address: place.optional().describe('[path, message]'),
  call_id: z.string().nullish(),
  tool_name: z.string().nullish(),
  evidence_address: place.optional().describe('[path, message, "meta", entry]'),
  output_address: place.optional(),
});

/** One paid inference with every place where it is persisted. */
export const eventSchema = z.object({
  inference_id: z.string().nullable(),
  provider_response_id: z.string().nullish(),
  identity: z.array(z.unknown()).describe('[kind, value]'),
  deduplication: z.enum(['inference_id', 'provider_response_id', 'legacy_lineage', 'receipt_unresolved']),
  tokens: tokensSchema,
  conflict: z.boolean().describe('copies disagree; counted once, as the canonical evidence says'),
  incomplete_evidence: z.boolean().describe('only some copies have a provider id'),
  canonical_origin: z.enum(['chat_meta', 'agent_meta']),
  canonical_address: evidenceAddressSchema,
  evidence: z.array(evidenceSchema),
});

type List = (string | number)[];

const toReportEvidence = (evidence: Evidence, home: string | undefined): z.input<typeof evidenceSchema> => {
  const { origin, source, address } = evidence;
  const shown = shortAddress(address, home) as List;
  const common = { origin, source: shortPath(source, home) };
  if (evidence.origin === 'chat_meta') return { ...common, meta_address: shown };
  return {
    ...common,
    call_id: evidence.callId,
    tool_name: evidence.toolName,
    evidence_address: shown,
    output_address: shown.slice(0, 2),
  };
};

/** An event in the field names of the reports. */
export const toReportEvent = (event: TokenEvent, home: string | undefined): z.input<typeof eventSchema> => {
  const [canonical] = event.evidence;
  const [kind, value] = event.identity;
  return {
    inference_id: event.inferenceId,
    provider_response_id: event.providerResponseId,
    identity: [kind, typeof value === 'string' ? value : shortAddress(value, home)],
    deduplication: event.deduplication,
    tokens: allFields(event.tokens),
    conflict: event.conflict,
    incomplete_evidence: event.incompleteEvidence,
    canonical_origin: canonical.origin,
    canonical_address: shortAddress(canonical.address, home) as List,
    evidence: event.evidence.map((evidence) => toReportEvidence(evidence, home)),
  };
};

/** What names an event in lists: its id, the provider's, or where it stands. */
export const eventId = (event: TokenEvent, home: string | undefined): string =>
  event.inferenceId ?? event.providerResponseId ?? printEvidenceAddress(event.evidence[0].address, home);
