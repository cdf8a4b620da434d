/** What the epochs of a history depend on. Counts are completed calls; `repeats` are positions of repeated calls, ascending. */
export type EpochScheduleInput = {
  total: number;
  repeats: readonly number[];
  /** Calls before the first epoch. */
  threshold: number;
  initialSize: number;
  /** The size grows by `sizeIncrease` each time so many epochs are complete; 0: never. */
  epochsPerIncrease: number;
  sizeIncrease: number;
  /** An epoch with a repeat is longer by this much, and so are those behind it. */
  repeatIncrease: number;
  /** No epoch grows beyond this; a maximum below the initial size does not shrink it. */
  maxSize: number;
};

/** The running epoch: its boundary stands behind `pinnedTotal` calls, `newCalls` have come since. */
export type EpochSchedule = {
  epochIndex: number;
  pinnedTotal: number;
  newCalls: number;
  nominalSize: number;
  epochSize: number;
  repeatDetected: boolean;
};

/**
 * Walks the epochs of a history up to the running one. Only the nominal part of an epoch can lengthen it, so that a boundary
 * that was seen never moves back. Linear in the number of epochs and repeats.
 */
export const epochSchedule = (input: EpochScheduleInput): EpochSchedule => {
  const { total, repeats, threshold, initialSize, epochsPerIncrease, sizeIncrease, repeatIncrease } = input;
  const maxSize = Math.max(input.maxSize, initialSize);
  let pinnedTotal = threshold;
  let repeatEpochs = 0;
  let nextRepeat = 0;
  for (let epochIndex = 0; ; epochIndex++) {
    const steps = epochsPerIncrease > 0 ? Math.floor(epochIndex / epochsPerIncrease) : 0;
    const nominalSize = Math.min(initialSize + steps * sizeIncrease + repeatEpochs * repeatIncrease, maxSize);
    while ((repeats[nextRepeat] ?? Number.POSITIVE_INFINITY) <= pinnedTotal) nextRepeat++;
    const repeatDetected =
      (repeats[nextRepeat] ?? Number.POSITIVE_INFINITY) <= Math.min(pinnedTotal + nominalSize, total);
    const epochSize = repeatDetected ? Math.min(nominalSize + repeatIncrease, maxSize) : nominalSize;
    if (!(epochSize > 0) || total <= pinnedTotal + epochSize) {
      return {
        epochIndex,
        pinnedTotal,
        newCalls: Math.max(0, total - pinnedTotal),
        nominalSize,
        epochSize,
        repeatDetected,
      };
    }
    pinnedTotal += epochSize;
    if (repeatDetected) repeatEpochs++;
  }
};
