import type { ToolGroup, ToolPair } from './tool-groups.js';

/** The groups that hold the newest of several identical calls, and the positions of each call after the first of its kind. */
export type RepeatedCalls = { newest: Set<ToolGroup>; positions: number[] };

type Seen = { group: ToolGroup; answeredGroup?: ToolGroup; isRepeated: boolean };

/**
 * Finds the calls of one name with the same arguments. Where the newest has no output, the newest that has one counts as
 * well: it holds what is known. Linear, but for sorting the positions.
 */
export const repeatedCalls = (groups: readonly ToolGroup[]): RepeatedCalls => {
  const seen = new Map<string, Seen>();
  const positions: number[] = [];
  const see = (group: ToolGroup, pair: ToolPair): void => {
    const before = seen.get(pair.key);
    const answeredGroup = pair.position === undefined ? before?.answeredGroup : group;
    seen.set(pair.key, { group, isRepeated: before !== undefined, ...(answeredGroup && { answeredGroup }) });
    if (before && pair.position !== undefined) positions.push(pair.position);
  };
  for (const group of groups) for (const pair of group.pairs) see(group, pair);
  const repeated = [...seen.values()].filter(({ isRepeated }) => isRepeated);
  return {
    newest: new Set(repeated.flatMap(({ group, answeredGroup }) => (answeredGroup ? [group, answeredGroup] : [group]))),
    positions: positions.sort((a, b) => a - b),
  };
};
