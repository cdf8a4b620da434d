import type { Chat } from '@colophon/chat-format';
import { type ClassOf, compactGroups } from './compact-groups.js';
import { newestGroups, type RepeatedCalls, repeatedUpTo } from './repeated-calls.js';
import type { StrategyContext } from './strategy.js';
import { readThreshold } from './thresholds.js';
import type { GroupedChat } from './tool-groups.js';

/** The thresholds that the epoch strategies share, in calls. */
export type EpochThresholds = { threshold: number; full: number; compacted: number; size: number };

/** Reads them: `epoch_tool_call_threshold` 50, `epoch_full_tool_calls` 20, `epoch_compacted_tool_calls` 80, `epoch_size` 20. */
export const readEpochThresholds = (context: StrategyContext): EpochThresholds => ({
  threshold: readThreshold(context, 'epoch_tool_call_threshold', 50),
  full: Math.max(0, readThreshold(context, 'epoch_full_tool_calls', 20)),
  compacted: Math.max(0, readThreshold(context, 'epoch_compacted_tool_calls', 80)),
  size: readThreshold(context, 'epoch_size', 20),
});

/** Whether there is anything to do: epochs begin behind the threshold, and need a size and something to keep. */
export const isEpochActive = (
  { outputCount }: GroupedChat,
  { threshold, full, compacted, size }: EpochThresholds,
): boolean => outputCount > threshold && size > 0 && (full > 0 || compacted > 0);

/**
 * Where an epoch's boundaries stand: of the first `pinnedTotal` calls the last `full` are whole, and before them so many are
 * shortened as `compactedAt` tells for a total of calls and the repeated ones among them.
 */
export type EpochWindow = {
  pinnedTotal: number;
  full: number;
  compactedAt: (total: number, repeated: RepeatedCalls) => number;
};

/**
 * Writes a chat as a prompt of this epoch: whole what came in it and `full` calls before, then the shortened ones; older
 * ones are dropped. The newest of repeated calls is whole wherever it stands. Boundaries count from the oldest call, so that
 * they hold still while calls are added. The notice counts what the first prompt of the epoch did, the one behind the group
 * that crossed the boundary.
 */
export const compactByEpoch = (
  grouped: GroupedChat,
  repeated: RepeatedCalls,
  window: EpochWindow,
  context: StrategyContext,
): Chat => {
  const { groups, outputCount } = grouped;
  const classesAt = (total: number, repeats: RepeatedCalls): ClassOf => {
    const newest = newestGroups(repeats);
    const compacted = window.compactedAt(total, repeats);
    return (group) => {
      const behind = window.pinnedTotal - window.full - group.position;
      if (behind < 0 || newest.has(group)) return 'whole';
      return behind < compacted ? 'shortened' : 'dropped';
    };
  };
  const now = classesAt(outputCount, repeated);
  const start = groups.find(({ position }) => position > window.pinnedTotal);
  const atStart = start ? classesAt(start.position, repeatedUpTo(repeated, start)) : now;
  return compactGroups(grouped, now, context, atStart);
};
