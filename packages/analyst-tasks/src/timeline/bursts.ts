import type { WorkSegment } from './segments.js';
import { gapBetween, type Signal, signalsOf } from './signals.js';

/** Segments that follow one another without a long pause. */
export type Burst = { id: number; segments: WorkSegment[]; signals: Signal[] };

/** Cuts segments into bursts wherever a pause is longer than `gap` seconds. A change of chat or agent cuts nothing. */
export const cutBursts = (segments: readonly WorkSegment[], gap: number): Burst[] => {
  const bursts: Burst[] = [];
  let before: WorkSegment | undefined;
  for (const segment of segments) {
    const pause = before && gapBetween(before, segment);
    const signals = signalsOf(before, segment);
    const current = bursts.at(-1);
    if (!current || (pause !== undefined && pause > gap))
      bursts.push({ id: bursts.length + 1, segments: [segment], signals });
    else {
      current.segments.push(segment);
      current.signals.push(...signals);
    }
    before = segment;
  }
  return bursts;
};
