import type { Backend } from './backend.js';
import { unknownOptions } from './errors.js';
import { optionNames } from './option-names.js';

const knows = (known: readonly string[], name: string): boolean =>
  known.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name));

const pairsOf = (word: string): Set<string> => {
  const letters = word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return new Set(
    Array.from({ length: Math.max(1, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)),
  );
};

const likeness = (a: string, b: string): number => {
  const [ofA, ofB] = [pairsOf(a), pairsOf(b)];
  const shared = [...ofA].filter((pair) => ofB.has(pair)).length;
  return (2 * shared) / (ofA.size + ofB.size);
};

/** Names that look like this one, the most alike first, at most three. */
const nearNames = (name: string, known: readonly string[]): string[] =>
  known
    .filter((candidate) => candidate !== name)
    .map((candidate) => ({ candidate, score: likeness(name.slice(0, 64), candidate) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ candidate }) => candidate);

const harnessNames = optionNames.flatMap((option) =>
  'written' in option ? [option.name, option.written] : [option.name],
);

/**
 * Throws `unknown_option` for parameters that are not in the backend's list. A name with a capital is a mistyped option of the
 * harness, whatever the backend: providers' names have none.
 */
export const checkParameters = (parameters: Record<string, unknown>, backend: Backend): void => {
  const known = backend.parameters;
  const unknown = Object.keys(parameters).filter(
    (name) => name !== 'extra_body' && (known ? !knows(known, name) : /[A-Z]/.test(name)),
  );
  if (unknown.length === 0) return;
  const candidates = [...new Set([...(known ?? []).filter((name) => !name.endsWith('*')), ...harnessNames])];
  throw unknownOptions(unknown, backend.name, [...new Set(unknown.flatMap((name) => nearNames(name, candidates)))]);
};
