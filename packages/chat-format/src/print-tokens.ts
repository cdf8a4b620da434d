import { isCount, type TokenField, type Tokens } from './usage.js';

const labels: readonly [TokenField, string, 'always' | 'positive'][] = [
  ['pt', 'prompt', 'always'],
  ['ct', 'completion', 'always'],
  ['tt', 'total', 'always'],
  ['cct', 'cached', 'positive'],
  ['cwt', 'cache_write', 'positive'],
  ['rt', 'reasoning', 'positive'],
];

/**
 * One line about a count: `prompt=100 completion=50 total=150 cached=20`. Prompt, completion and total are shown where they
 * are known, the other fields where they are above zero.
 */
export const printTokens = (tokens: Tokens): string =>
  labels
    .flatMap(([field, label, when]) => {
      const count = tokens[field];
      return isCount(count) && (when === 'always' || count > 0) ? [`${label}=${count}`] : [];
    })
    .join(' ');
