import { type TokenField, type Tokens, tokenFields } from '@colophon/chat-format';
import { printCount, printShare } from './print-count.js';
import type { TokenTotals } from './token-event.js';

/** Sums for reading, behind the field that says what they are sums of: `prompt=1.5K cache=200@13.2% cont=338 reason=20`. */
export const printSums = (
  { pt, ct, cct, cwt, rt }: Record<TokenField, number>,
  { whole = false }: { whole?: boolean } = {},
): string[] => [
  ...(pt > 0 ? [`prompt=${printCount(pt)}`, `cache=${printCount(cct)}@${printShare(cct, pt)}`] : []),
  ...(whole && pt > 0 ? [`fresh=${printCount(Math.max(0, pt - cct))}`] : []),
  ...(whole && cwt > 0 ? [`cache_write=${printCount(cwt)}`] : []),
  ...(ct > 0 ? [`cont=${printCount(ct)}`] : []),
  ...(rt > 0 ? [`reason=${printCount(rt)}`] : []),
];

const exactLabels: readonly [field: TokenField, label: string, when: 'known' | 'positive'][] = [
  ['tt', 'total', 'known'],
  ['pt', 'prompt', 'known'],
  ['cct', 'cache', 'positive'],
  ['cwt', 'cache_write', 'positive'],
  ['ct', 'cont', 'known'],
  ['rt', 'reason', 'positive'],
];

/** Counts to the unit: `total=110 prompt=100 cont=10`; what was not reported is left out. */
export const printExact = (tokens: Tokens): string =>
  exactLabels
    .flatMap(([field, label, when]) => {
      const count = tokens[field];
      return count !== undefined && (when === 'known' || count > 0) ? [`${label}=${count}`] : [];
    })
    .join(' ');

/** Totals without the fields that no event reported. */
export const knownTotals = (totals: TokenTotals): Tokens =>
  Object.fromEntries(
    tokenFields.filter((field) => !totals.unknown.includes(field)).map((field) => [field, totals[field]]),
  );
