import type { Meta, TokenField } from '@colophon/chat-format';
import { strictError } from './errors.js';
import type { MetaFact } from './facts.js';
import type { Graph } from './graph.js';
import { invalidField, isCount, isPaid, tokensOf } from './paid.js';
import type { Deduplication, Evidence, Identity, TokenEvent } from './token-event.js';
import type { Warning } from './warning.js';

const textOf = (meta: Meta, key: string): string | null => {
  const value = meta[key];
  return value === undefined || value === '' ? null : String(value);
};

const deduplications = {
  inference_id: 'inference_id',
  provider_response_id: 'provider_response_id',
  lineage: 'legacy_lineage',
  receipt: 'receipt_unresolved',
} satisfies Record<Identity[0], Deduplication>;

const identityOf = (evidence: Evidence, lineage: string | undefined): Identity => {
  const inferenceId = textOf(evidence.meta, 'inference_id');
  if (inferenceId !== null) return ['inference_id', inferenceId];
  const providerId = textOf(evidence.meta, 'provider_response_id');
  if (providerId !== null) return ['provider_response_id', providerId];
  if (evidence.origin === 'agent_meta') return ['receipt', evidence.address];
  return ['lineage', lineage ?? JSON.stringify(evidence.address)];
};

/** Pieces of evidence by what identifies them, in the order in which they were found: those of chats, then those of receipts. */
const groupEvidence = (graph: Pick<Graph, 'nodes'>): { identity: Identity; evidence: [Evidence, ...Evidence[]] }[] => {
  type Group = { identity: Identity; evidence: [Evidence, ...Evidence[]] };
  const groups: Group[] = [];
  const known = { inference_id: new Map<string, Group>(), provider_response_id: new Map(), lineage: new Map() };
  const add = (evidence: Evidence, lineage?: MetaFact['lineage']): void => {
    const identity = identityOf(evidence, lineage);
    const [kind, value] = identity;
    // A receipt's own place is no other record's.
    const same = kind === 'receipt' ? undefined : (known[kind] as Map<string, Group>);
    const group = same?.get(value as string);
    if (group) {
      group.evidence.push(evidence);
      return;
    }
    const made: Group = { identity, evidence: [evidence] };
    groups.push(made);
    same?.set(value as string, made);
  };
  const chats = graph.nodes.filter((node) => node.kind === 'chat');
  for (const { path: source, facts } of chats)
    for (const { index, meta, lineage } of facts.metas)
      if (isPaid(meta)) add({ origin: 'chat_meta', source, address: [source, index], meta }, lineage);
  for (const { path: source, facts } of chats)
    for (const { index, entry, callId, toolName, meta } of facts.receipts)
      if (isPaid(meta))
        add({ origin: 'agent_meta', source, address: [source, index, 'meta', entry], meta, callId, toolName });
  return groups;
};

const immutable: readonly TokenField[] = ['pt', 'ct', 'tt'];

const countOf = (meta: Meta, field: TokenField): number => {
  const value = meta[field];
  return isCount(value) ? value : 0;
};

const disputes = (copies: readonly Evidence[], field: TokenField): boolean => {
  const count = countOf(copies[0]!.meta, field);
  for (const { meta } of copies) if (countOf(meta, field) !== count) return true;
  return false;
};

/** Fields that copies dispute. A count that is not reported counts as 0 here; an id that is missing disputes nothing. */
const disputed = (
  copies: readonly Evidence[],
  ids: ReadonlySet<string | null>,
): (TokenField | 'provider_response_id')[] => {
  const fields: (TokenField | 'provider_response_id')[] = [];
  if (copies.length === 1) return fields;
  for (const field of immutable) if (disputes(copies, field)) fields.push(field);
  if (ids.size > (ids.has(null) ? 2 : 1)) fields.push('provider_response_id');
  return fields;
};

/** The different provider ids of copies, null among them where one has none. */
const providerIds = (copies: readonly Evidence[]): Set<string | null> => {
  const ids = new Set<string | null>();
  for (const { meta } of copies) ids.add(textOf(meta, 'provider_response_id'));
  return ids;
};

const firstId = (ids: ReadonlySet<string | null>): string | null => {
  for (const id of ids) if (id !== null) return id;
  return null;
};

const conflictWarning = (event: TokenEvent, fields: (TokenField | 'provider_response_id')[]): Warning => {
  const values: NonNullable<Warning['values']> = {};
  for (const field of fields) values[field] = [...new Set(event.evidence.map(({ meta }) => meta[field] ?? null))];
  const [canonical] = event.evidence;
  const told = fields.map((field) => `${field} ${values[field]!.map(String).join(' or ')}`).join(', ');
  return {
    code: 'identity_conflict',
    message: `identity_conflict: copies of inference ${String(event.identity[1])} disagree on ${told}. It is counted once, as ${canonical.address.join(' ')} has it.`,
    path: canonical.source,
    address: canonical.address,
    inferenceId: event.inferenceId,
    identity: event.identity,
    fields,
    values,
    evidence: event.evidence.map(({ address }) => address),
  };
};

const invalidWarning = ({ source, address, meta }: Evidence, field: string): Warning => ({
  code: 'invalid_token_count',
  message: `invalid_token_count: ${address.join(' ')} has ${field}=${String(meta[field])}, expected a number of tokens; the field counts as unknown.`,
  path: source,
  address,
});

/** Events and what is wrong with them. */
export type TokenEvents = { events: TokenEvent[]; warnings: Warning[] };

/**
 * The paid inferences of a session, each once, with every place where it is persisted, in the order of their first evidence. Told
 * apart by `inference_id`, else `provider_response_id`, else (in chats) by the conversation before it, else by the receipt's own
 * place. Linear in the pieces of evidence.
 *
 * @throws ColophonError with the warning's code, in strict mode.
 */
export const tokenEvents = (
  graph: Pick<Graph, 'nodes'>,
  { strict = false }: { strict?: boolean } = {},
): TokenEvents => {
  const warnings: Warning[] = [];
  const warn = (warning: Warning): void => {
    if (strict) throw strictError(warning);
    warnings.push(warning);
  };
  const events = groupEvidence(graph).map(({ identity, evidence }): TokenEvent => {
    const [canonical] = evidence;
    const ids = providerIds(evidence);
    const fields = disputed(evidence, ids);
    const event: TokenEvent = {
      identity,
      deduplication: deduplications[identity[0]],
      inferenceId: identity[0] === 'inference_id' ? identity[1] : null,
      providerResponseId: firstId(ids),
      model: textOf(canonical.meta, 'model'),
      tokens: tokensOf(canonical.meta),
      evidence,
      conflict: fields.length > 0,
      incompleteEvidence: ids.has(null) && ids.size > 1,
      unresolved: identity[0] === 'receipt',
    };
    for (const piece of evidence) {
      const field = invalidField(piece.meta);
      if (field !== undefined) warn(invalidWarning(piece, field));
    }
    if (fields.length > 0) warn(conflictWarning(event, fields));
    return event;
  });
  return { events, warnings };
};
