import type { Edge } from '@colophon/provenance';
import { z } from 'zod';
import { shortAddress, shortPath } from './address.js';
import type { Session } from './session.js';

const place = z.array(z.union([z.string(), z.number()]));

const detailSchema = z.object({
  relation: z.string(),
  from: z.string(),
  to: z.string(),
  call_id: z.string().nullable(),
  tool_name: z.string().nullable(),
  output_address: place,
  evidence_address: place,
  job: z.string().describe('the reference as the receipt has it'),
});

/** One reason why something is part of the session. */
export const edgeSchema = z.object({
  from_kind: z.enum(['chat', 'job']),
  from: z.string(),
  relation: z.enum(['job', 'agent_job', 'dependency', 'log', 'result']),
  to_kind: z.enum(['chat', 'job']),
  to: z.string(),
  detail: detailSchema.optional().describe('the receipt that leads to the job'),
});

/** Edges in the field names of the reports. Linear in the edges. */
export const toReportEdges = (session: Session, edges: readonly Edge[]): z.input<typeof edgeSchema>[] => {
  const { home } = session.context;
  return edges.flatMap(({ from, relation, to, detail }) => {
    const [source, target] = [session.nodeOf(from), session.nodeOf(to)];
    if (!source || !target) return [];
    const ends = { from: shortPath(source.path, home), to: shortPath(target.path, home) };
    return {
      from_kind: source.kind,
      from: ends.from,
      relation,
      to_kind: target.kind,
      to: ends.to,
      ...(detail
        ? {
            detail: {
              relation,
              ...ends,
              call_id: detail.callId,
              tool_name: detail.toolName,
              output_address: shortAddress(detail.outputAddress, home) as (string | number)[],
              evidence_address: shortAddress(detail.evidenceAddress, home) as (string | number)[],
              job: shortPath(detail.job, home),
            },
          }
        : {}),
    };
  });
};
