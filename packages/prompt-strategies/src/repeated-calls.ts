import type { ToolGroup } from './tool-groups.js';

/** The groups that hold the newest of several identical calls, and the positions of each call after the first of its kind. */
export type RepeatedCalls = { newest: Set<ToolGroup>; positions: number[] };

type Seen = { group: ToolGroup; answeredGroup: ToolGroup | undefined; isRepeated: boolean };

/**
 * Finds the calls of one name with the same arguments. Where the newest has no output, the newest that has one counts as
 * well: it holds what is known. Linear, but for sorting the positions.
 */
export const repeatedCalls = (groups: readonly ToolGroup[]): RepeatedCalls => {
  const seenByKey = new Map<string, Seen>();
  const positions: number[] = [];
  for (const group of groups) {
    for (const { key, position } of group.pairs) {
      const seen = seenByKey.get(key);
      if (seen) {
        seen.isRepeated = true;
        seen.group = group;
        if (position !== undefined) {
          seen.answeredGroup = group;
          positions.push(position);
        }
      } else
        seenByKey.set(key, { group, answeredGroup: position === undefined ? undefined : group, isRepeated: false });
    }
  }
  const newest = new Set<ToolGroup>();
  for (const { isRepeated, group, answeredGroup } of seenByKey.values()) {
    if (!isRepeated) continue;
    newest.add(group);
    if (answeredGroup) newest.add(answeredGroup);
  }
  return { newest, positions: positions.sort((a, b) => a - b) };
};
