import type { RelationFinder } from './relation.js';

/** Jobs that `meta job=…` messages of a chat name, each once. One that is not there is told as missing. */
export const job: RelationFinder = async (node, { findJob }) => {
  if (node.kind !== 'chat') return [];
  const references = new Set(node.facts.metas.map(({ meta }) => String(meta['job'] ?? '')));
  references.delete('');
  const targets = [];
  for (const reference of references) {
    const path = await findJob(reference, node.path);
    targets.push({
      kind: 'job' as const,
      ...(path === undefined ? { path: reference, missing: true as const } : { path }),
    });
  }
  return targets;
};
