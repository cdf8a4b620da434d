import { callKey } from './read-tool-message.js';
import type { ToolGroup, ToolPair } from './tool-groups.js';

/** For each call that was repeated, all its instances in order: one name, the same canonical arguments, whatever the id. */
export type RepeatedCalls = ToolPair[][];

/** Finds the calls of one name with the same arguments. Linear in the number of calls. */
export const repeatedCalls = (groups: readonly ToolGroup[]): RepeatedCalls => {
  const byKey = new Map<string, ToolPair | ToolPair[]>();
  const repeated: RepeatedCalls = [];
  for (const { pairs } of groups) {
    for (const pair of pairs) {
      const key = callKey(pair.reading);
      const seen = byKey.get(key);
      if (!seen) byKey.set(key, pair);
      else if (Array.isArray(seen)) seen.push(pair);
      else {
        const instances = [seen, pair];
        byKey.set(key, instances);
        repeated.push(instances);
      }
    }
  }
  return repeated;
};

/** The repeated calls as they were up to a group. */
export const repeatedUpTo = (repeated: RepeatedCalls, last: ToolGroup): RepeatedCalls =>
  repeated
    .map((instances) => instances.filter(({ group }) => group.index <= last.index))
    .filter((instances) => instances.length > 1);

/**
 * The groups that hold the newest instance of a repeated call; where that has no output, the newest that has one as well: it
 * holds what is known.
 */
export const newestGroups = (repeated: RepeatedCalls): Set<ToolGroup> =>
  new Set(
    repeated.flatMap((instances) => {
      const newest = instances.at(-1);
      const answered = instances.findLast(({ position }) => position !== undefined);
      return [newest, answered].flatMap((pair) => (pair ? [pair.group] : []));
    }),
  );

/** The positions of each instance after the first of its kind, ascending. */
export const repeatPositions = (repeated: RepeatedCalls): number[] =>
  repeated
    .flatMap((instances) => instances.slice(1).flatMap(({ position }) => (position === undefined ? [] : [position])))
    .sort((a, b) => a - b);
