import type { Block, Placed } from './to-messages.js';

const mark = { type: 'ephemeral' } as const;

const canBeMarked = (block: Block): boolean => block.type !== 'thinking' && block.type !== 'redacted_thinking';

/**
 * Sets `cache_control` where a stable prefix ends: once behind the system text and tools, then on the last blocks before the
 * latest boundaries, `most` (at most four) in all. Boundaries are exclusive ends in message indexes. Linear.
 */
export const setCacheMarks = (
  head: Record<string, unknown> | undefined,
  placed: readonly Placed[],
  boundaries: readonly number[],
  most: number,
): void => {
  if (boundaries.length === 0) return;
  if (head) head['cache_control'] = mark;
  const left = most - (head ? 1 : 0);
  const marked = new Set<Block>();
  for (const boundary of [...new Set(boundaries)].sort((a, b) => b - a)) {
    if (marked.size >= left) return;
    const block = placed.findLast((entry) => entry.index < boundary && canBeMarked(entry.block))?.block;
    if (!block || marked.has(block)) continue;
    block['cache_control'] = mark;
    marked.add(block);
  }
};
