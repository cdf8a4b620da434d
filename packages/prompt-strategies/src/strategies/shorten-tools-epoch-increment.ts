import { compactGroups } from '../compact-groups.js';
import { epochSchedule } from '../epoch-schedule.js';
import { compactByEpoch, isEpochActive, readEpochThresholds } from '../epoch-window.js';
import { type RepeatedCalls, repeatedCalls, repeatPositions } from '../repeated-calls.js';
import type { Strategy } from '../strategy.js';
import { readThreshold } from '../thresholds.js';
import { toolGroups } from '../tool-groups.js';

/**
 * Like `shorten_tools_epoch`, with epochs that grow: every `epoch_increment_epochs_per_increase` (3) epochs by
 * `epoch_increment_size_increase` (10) calls, and after repeated calls by `epoch_increment_repeat_increase` (10), up to
 * `epoch_increment_max_size` (60). The shortened window grows with them by `epoch_increment_compacted_growth_ratio` (2) calls
 * for each, up to `epoch_increment_max_compacted_tool_calls` (160).
 */
export const shortenToolsEpochIncrement: Strategy = (chat, context) => {
  const increment = (name: string, fallback: number): number =>
    readThreshold(context, `epoch_increment_${name}`, fallback);
  const thresholds = readEpochThresholds(context);
  const growth = {
    epochsPerIncrease: increment('epochs_per_increase', 3),
    sizeIncrease: Math.max(0, increment('size_increase', 10)),
    repeatIncrease: Math.max(0, increment('repeat_increase', 10)),
    maxSize: increment('max_size', 60),
  };
  const ratio = increment('compacted_growth_ratio', 2);
  const maxCompacted = Math.max(thresholds.compacted, increment('max_compacted_tool_calls', 160));

  const grouped = toolGroups(chat, context);
  if (!isEpochActive(grouped, thresholds)) return compactGroups(grouped, () => 'whole', context);
  const { threshold, full, size: initialSize } = thresholds;
  const scheduleAt = (total: number, repeated: RepeatedCalls) =>
    epochSchedule({ total, repeats: repeatPositions(repeated), threshold, initialSize, ...growth });
  const compactedAt = (total: number, repeated: RepeatedCalls): number => {
    const grown = Math.round((scheduleAt(total, repeated).epochSize - initialSize) * ratio);
    return Math.min(thresholds.compacted + grown, maxCompacted);
  };
  const repeated = repeatedCalls(grouped.groups);
  const { pinnedTotal } = scheduleAt(grouped.outputCount, repeated);
  return compactByEpoch(grouped, repeated, { pinnedTotal, full, compactedAt }, context);
};
