import { compactGroups } from '../compact-groups.js';
import { compactByEpoch, isEpochActive, readEpochThresholds } from '../epoch-window.js';
import { repeatedCalls } from '../repeated-calls.js';
import type { Strategy } from '../strategy.js';
import { toolGroups } from '../tool-groups.js';

/**
 * Shortens old tool calls behind a boundary that holds still for `epoch_size` calls, so that a provider's prefix cache stays
 * of use. Nothing happens at or below `epoch_tool_call_threshold`. The newest of repeated calls is kept whole.
 */
export const shortenToolsEpoch: Strategy = (chat, context) => {
  const thresholds = readEpochThresholds(context);
  const { threshold, full, compacted, size } = thresholds;
  const grouped = toolGroups(chat, context);
  if (!isEpochActive(grouped, thresholds)) return compactGroups(grouped, () => 'whole', context);
  const epochIndex = Math.floor((grouped.outputCount - threshold - 1) / size);
  const pinnedTotal = threshold + epochIndex * size;
  const window = { pinnedTotal, full, compactedAt: () => compacted };
  return compactByEpoch(grouped, repeatedCalls(grouped.groups), window, context);
};
