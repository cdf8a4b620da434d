import { sumTokens, type Tokens, tokenFields } from '@colophon/chat-format';
import {
  type EdgeDetail,
  type Evidence,
  type Node,
  nodeId,
  type TokenEvent,
  tokenEvents,
  tokenScopes,
  tokenTotals,
  toTotals,
  traverse,
  type Visit,
  type Warning,
} from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import type { Operation } from '../vector.js';

const sixFields = (tokens: Tokens) => Object.fromEntries(tokenFields.map((field) => [field, tokens[field] ?? 0]));

const detailResult = (detail: EdgeDetail | null) =>
  detail && {
    call_id: detail.callId,
    tool_name: detail.toolName,
    output_address: detail.outputAddress,
    evidence_address: detail.evidenceAddress,
    job: detail.job,
  };

const warningResult = (warning: Warning) => ({
  reason: warning.code,
  message: warning.message,
  source: warning.path,
  relation: warning.relation,
  call_id: warning.callId,
  tool_name: warning.toolName,
  output_address: warning.outputAddress,
  evidence_address: warning.evidenceAddress,
  agent_meta_index: warning.index,
  raw_entry: warning.entry,
  reference: warning.reference,
  inference_id: warning.inferenceId,
  identity: warning.identity,
  fields: warning.fields,
  values: warning.values,
  evidence: warning.evidence,
});

const evidenceResult = (evidence: Evidence) =>
  evidence.origin === 'chat_meta'
    ? { origin: evidence.origin, source: evidence.source, meta: evidence.meta, meta_address: evidence.address }
    : {
        origin: evidence.origin,
        source: evidence.source,
        meta: evidence.meta,
        evidence_address: evidence.address,
        output_address: evidence.address.slice(0, 2),
        call_id: evidence.callId,
        tool_name: evidence.toolName,
      };

const eventResult = (event: TokenEvent) => ({
  identity: event.identity,
  deduplication: event.deduplication,
  inference_id: event.inferenceId,
  tokens: sixFields(event.tokens),
  evidence: event.evidence.map(evidenceResult),
  conflict: event.conflict,
  incomplete_evidence: event.incompleteEvidence,
});

const visitResult = ({ node, parent, relation, first, detail }: Visit) => ({
  kind: node.kind,
  path: node.path,
  parent: parent?.path ?? null,
  relation,
  first_visit: first,
  call_id: detail?.callId ?? null,
});

/** What the result chat of each job says itself. */
const deltas = (nodes: Node[]) => {
  const known = new Map(nodes.map((node) => [node.id, node]));
  return Object.fromEntries(
    nodes.flatMap((node) => {
      const chat = known.get(nodeId('chat', node.path));
      if (node.kind !== 'job' || node.facts.type !== 'chat' || chat?.kind !== 'chat') return [];
      return [[node.path, sixFields(sumTokens(chat.facts.metas.flatMap(({ meta }) => ('job' in meta ? [] : [meta]))))]];
    }),
  );
};

/** What came from what, and what it cost. */
export const provenance: Record<string, Operation> = {
  provenance: async (input) => {
    const reader = nodeReader({ jobRoots: input.job_bases });
    const traversal: Warning[] = [];
    const visits: Visit[] = [];
    const { strict, follow, root_type: rootKind } = input;
    const onWarning = (warning: Warning) => traversal.push(warning);
    for await (const visit of traverse(input.root, { reader, follow, strict, rootKind, onWarning })) visits.push(visit);
    const nodes = visits.filter(({ first }) => first).map(({ node }) => node);
    const paths = (kind: Node['kind']) => nodes.filter((node) => node.kind === kind).map(({ path }) => path);
    const { events, warnings } = tokenEvents({ nodes }, { strict });
    if (input.scope !== undefined) tokenTotals(events, input.scope);
    const conflicts = events.filter(({ conflict }) => conflict).length;
    return {
      visits: visits.map(visitResult),
      edges: visits.flatMap(({ node, parent, relation, detail }) =>
        parent
          ? [
              {
                from_kind: parent.kind,
                from: parent.path,
                relation,
                to_kind: node.kind,
                to: node.path,
                detail: detailResult(detail),
              },
            ]
          : [],
      ),
      chats: paths('chat'),
      jobs: paths('job'),
      events: events.map(eventResult),
      totals: Object.fromEntries(
        Object.entries(tokenScopes).map(([scope, takes]) => [
          scope,
          toTotals(events.filter(takes).map(({ tokens }) => tokens)),
        ]),
      ),
      traversal_errors: traversal.map(warningResult),
      warnings: [...traversal, ...warnings].map(warningResult),
      accounting: {
        events: conflicts,
        incomplete_evidence_events: events.filter(({ incompleteEvidence }) => incompleteEvidence).length,
        authoritative: conflicts === 0,
      },
      job_deltas: deltas(nodes),
    };
  },
};
