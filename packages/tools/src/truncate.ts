import type { Outcome } from './outcome.js';
import { headOf, tailOf } from './well-formed.js';

/** Characters (UTF-16 units) of content that a model gets of one output, unless the context says otherwise. */
export const defaultMaxContentLength = 100_000;

/**
 * Replaces content above the limit by `{"exception": …}` with both lengths, the head, the tail and, where a job holds the
 * whole, its path; `error` is then `truncated`. Receipts and step stay. A failure stays the failure that it is.
 */
export const truncate = (outcome: Outcome, limit = defaultMaxContentLength): Outcome => {
  const { length } = outcome.content;
  if (!(length > limit) || (outcome.error !== undefined && outcome.error !== 'truncated')) return outcome;
  const shown = Math.min(2_000, Math.floor(limit / 5));
  const whole = outcome.step ? ` The job ${outcome.step} holds the whole.` : ' Ask for less of it.';
  const content = JSON.stringify({
    exception: `The result has ${length} characters, more than the limit of ${limit}; only its head and tail are shown.${whole}`,
    head: headOf(outcome.content, shown),
    tail: tailOf(outcome.content, shown),
    ...(outcome.step ? { step: outcome.step } : {}),
  });
  return { ...outcome, content, error: 'truncated' };
};
