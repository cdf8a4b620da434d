import { compactGroups, type GroupClass } from '../compact-groups.js';
import { newestGroups, repeatedCalls } from '../repeated-calls.js';
import type { Strategy } from '../strategy.js';
import { readThreshold } from '../thresholds.js';
import { type ToolGroup, toolGroups } from '../tool-groups.js';

const textLength = ({ pairs, outputs }: ToolGroup): number =>
  [...pairs.map(({ call }) => call), ...outputs].reduce((sum, { content }) => sum + content.length, 0);

/**
 * Keeps the newest tool calls whole. A group is whole while its position from the newest is below the full limits
 * (`full_tool_calls` 0, `full_tool_outputs` 10) or the tool text kept so far is below `max_tool_chars` (100,000 characters);
 * shortened up to the maxima (`max_tool_calls` 40, `max_tool_outputs` the same); dropped beyond. As a group shares one class,
 * the larger of the two limits decides.
 */
export const shortenTools: Strategy = (chat, context) => {
  const threshold = (name: string, fallback: number): number => readThreshold(context, name, fallback);
  const full = Math.max(threshold('full_tool_calls', 0), threshold('full_tool_outputs', 10));
  const maxCalls = threshold('max_tool_calls', 40);
  const max = Math.max(maxCalls, threshold('max_tool_outputs', maxCalls));
  const budget = threshold('max_tool_chars', 100_000);

  const grouped = toolGroups(chat, context);
  const newest = newestGroups(repeatedCalls(grouped.groups));
  const classes = new Array<GroupClass>(grouped.groups.length);
  let kept = 0;
  for (const group of grouped.groups.toReversed()) {
    const position = grouped.outputCount - group.position + 1;
    const isWhole = position < full || kept < budget || newest.has(group);
    classes[group.index] = isWhole ? 'whole' : position > max ? 'dropped' : 'shortened';
    if (isWhole) kept += textLength(group);
  }
  return compactGroups(grouped, ({ index }) => classes[index] ?? 'whole', context);
};
