import type { RelationFinder, Target } from './relation.js';

/** The direct dependencies of a job, as its `.info` lists them. One that is not there is told as missing. */
export const dependency: RelationFinder = async (node, { findJob }) => {
  if (node.kind !== 'job') return [];
  const targets: Target[] = [];
  for (const reference of new Set(node.facts.dependencies)) {
    const path = await findJob(reference, node.path);
    targets.push(path === undefined ? { kind: 'job', path: reference, missing: true } : { kind: 'job', path });
  }
  return targets;
};
