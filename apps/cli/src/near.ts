/** Edits (insert, delete, replace, swap of neighbours) from one word to another. Cost: the product of their lengths. */
const distance = (from: string, to: string): number => {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let best = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, beforePrevious[column - 2]! + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
};

/** The candidate that a mistyped word most likely meant, if one is near enough. */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  if (word.length > 40) return undefined;
  const prefixed = candidates.filter((candidate) => word.length >= 2 && candidate.startsWith(word));
  if (prefixed.length === 1) return prefixed[0];
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
};
