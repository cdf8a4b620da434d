import { z } from 'zod';
import { delegationsIn, failuresIn, type WorkSegment } from './segments.js';

/** Seconds between two segments from which a gap is long. */
const longGap = 300;

/** Words that a reasoning needs to be compared, and the share of common words below which it turned elsewhere. */
const fewestWords = 8;
const leastSimilarity = 0.12;

/** What sets a segment apart from the one before it. Signals annotate; they never split. */
export const signalSchema = z.object({
  type: z.enum([
    'long_gap',
    'chat_change',
    'delegation',
    'failure_recovery',
    'failure',
    'reasoning_shift',
    'tool_group_change',
  ]),
  strength: z.enum(['strong', 'moderate', 'suggestive', 'weak']),
  segment: z.string(),
  seconds: z.number().optional(),
  direction: z.enum(['out', 'resume_or_child']).optional(),
  similarity: z.number().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
});

export type Signal = z.input<typeof signalSchema>;

const similarity = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  const all = one.size + other.size - common;
  return all === 0 ? 1 : common / all;
};

const shift = (before: WorkSegment, segment: WorkSegment): number | undefined => {
  const [one, other] = [before.reasoning, segment.reasoning];
  if (before.path !== segment.path || !one || !other || one.words < fewestWords || other.words < fewestWords)
    return undefined;
  const share = similarity(one.vocabulary, other.vocabulary);
  return share < leastSimilarity ? Math.round(share * 1000) / 1000 : undefined;
};

/** Seconds from one segment to the next; undefined where one of them has no time. */
export const gapBetween = (before: WorkSegment, segment: WorkSegment): number | undefined =>
  before.time === undefined || segment.time === undefined ? undefined : (segment.time - before.time) / 1000;

/** The signals of a segment against the one before it, the root's first segment having none but its own. */
export const signalsOf = (before: WorkSegment | undefined, segment: WorkSegment): Signal[] => {
  const signals: Omit<Signal, 'segment'>[] = [];
  const gap = before && gapBetween(before, segment);
  if (gap !== undefined && gap > longGap) signals.push({ type: 'long_gap', strength: 'strong', seconds: gap });
  if (before && before.path !== segment.path) signals.push({ type: 'chat_change', strength: 'weak' });
  if (delegationsIn(segment).length > 0) signals.push({ type: 'delegation', strength: 'strong', direction: 'out' });
  else if (before && delegationsIn(before).length > 0)
    signals.push({ type: 'delegation', strength: 'strong', direction: 'resume_or_child' });
  const failed = failuresIn(segment).length > 0;
  if (before && failuresIn(before).length > 0 && !failed && segment.calls.some(({ success }) => success === true))
    signals.push({ type: 'failure_recovery', strength: 'strong' });
  if (failed) signals.push({ type: 'failure', strength: 'moderate' });
  const share = before && shift(before, segment);
  if (share !== undefined) signals.push({ type: 'reasoning_shift', strength: 'suggestive', similarity: share });
  if (before && before.group !== segment.group)
    signals.push({ type: 'tool_group_change', strength: 'weak', from: before.group, to: segment.group });
  return signals.map((signal) => ({ ...signal, segment: segment.id }));
};
