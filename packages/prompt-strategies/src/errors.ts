import { ColophonError } from '@colophon/chat-format';

const show = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** A name that is not in the table of strategies. */
export const unknownStrategyError = (name: unknown, known: readonly string[]): ColophonError =>
  new ColophonError(
    'unknown_strategy',
    `Unknown prompt strategy ${show(name)}. Known: ${known.toSorted().join(', ')}. A function can be given in place of a name.`,
    { strategy: name, known },
  );

/** A strategy that returned something else than a list of messages. */
export const strategyResultError = (name: string, result: unknown): ColophonError =>
  new ColophonError(
    'strategy_result',
    `The prompt strategy ${show(name)} returned ${show(result)}, expected an array of messages: return the chat itself to leave it as it is.`,
    { strategy: name },
  );

/** A threshold that is not a number. */
export const thresholdError = (name: string, value: unknown, source: string): ColophonError =>
  new ColophonError(
    'invalid_threshold',
    `The threshold ${name} is ${show(value)} (from ${source}), expected a number: correct it, or take it out to get the default.`,
    { threshold: name, value, source },
  );

/** A provider without cache rules. */
export const unknownProviderError = (name: string, known: readonly string[]): ColophonError =>
  new ColophonError(
    'unknown_provider',
    `No cache rules for the provider ${show(name)}. Known: ${known.join(', ')}. Rules can be given in place of a name.`,
    { provider: name, known },
  );

/** A note named `abort` ended the inference; `facts.reason` is its text. */
export const abortedError = (reason: string, file: string): ColophonError =>
  new ColophonError('aborted', `Aborted by the note ${file}: ${reason}`, { reason, file });
