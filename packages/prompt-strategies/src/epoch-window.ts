import type { GroupClass } from './compact-groups.js';
import type { StrategyContext } from './strategy.js';
import { readThreshold } from './thresholds.js';
import type { GroupedChat, ToolGroup } from './tool-groups.js';

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

/** Where an epoch's boundaries stand: of the first `pinnedTotal` calls the last `full` are whole, `compacted` before them shortened. */
export type EpochWindow = { pinnedTotal: number; full: number; compacted: number };

/**
 * The class of each group in an epoch: whole what came in it and `full` calls before, then `compacted` shortened ones, older
 * ones dropped. Groups in `keep` are whole wherever they stand. Boundaries count from the oldest call, so that they hold
 * still while calls are added.
 */
export const classifyByEpoch =
  ({ pinnedTotal, full, compacted }: EpochWindow, keep: ReadonlySet<ToolGroup>) =>
  (group: ToolGroup): GroupClass => {
    if (group.position > pinnedTotal - full || keep.has(group)) return 'whole';
    return group.position > pinnedTotal - full - compacted ? 'shortened' : 'dropped';
  };
