import type { EdgeDetail } from '../graph.js';
import type { RelationFinder, Target } from './relation.js';

/** Jobs that the receipts of a chat name; each receipt is an edge of its own. One that is not there is a warning. */
export const agentJob: RelationFinder = async (node, { findJob, warn }) => {
  if (node.kind !== 'chat') return [];
  const targets: Target[] = [];
  for (const { index, entry, callId, toolName, meta } of node.facts.receipts) {
    const reference = String(meta['job'] ?? '');
    if (reference === '') continue;
    const detail: EdgeDetail = {
      callId,
      toolName,
      outputAddress: [node.path, index],
      evidenceAddress: [node.path, index, 'meta', entry],
      job: reference,
    };
    const path = await findJob(reference, node.path);
    if (path !== undefined) {
      targets.push({ kind: 'job', path, detail });
      continue;
    }
    const { job: _, ...facts } = detail;
    warn({
      code: 'unresolved_job_reference',
      message: `unresolved_job_reference: ${node.path}, message ${index}: the receipt of call ${callId} (${toolName}) names job ${reference}, of which there is neither result nor .info. Name the folder that holds it as a root.`,
      path: node.path,
      address: detail.evidenceAddress,
      relation: 'agent_job',
      ...facts,
      index: entry,
      reference,
    });
  }
  return targets;
};
