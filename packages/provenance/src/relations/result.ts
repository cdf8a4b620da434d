import type { RelationFinder } from './relation.js';

/** The chat that a job of type `chat` made. */
export const result: RelationFinder = async (node) =>
  node.kind === 'job' && node.facts.type === 'chat' && node.facts.done ? [{ kind: 'chat', path: node.path }] : [];
