/** Letters, digits, `_` and `-`, at most 128: what a registry and providers take as a tool's name. */
const longest = 128;

const toValid = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || 'tool';

/**
 * The name that each of a server's tools gets here, by its own: the same where that is valid; else with `_` for every other character,
 * cut at 128, and `_2`, `_3`… behind it where another tool has that name. Depends on nothing but the list and its order.
 */
export const toToolNames = (names: readonly string[]): Map<string, string> => {
  const taken = new Set(names.filter((name) => toValid(name) === name));
  const next = new Map<string, number>();
  const free = (name: string): string => {
    const valid = toValid(name);
    if (!taken.has(valid)) return valid;
    for (let number = next.get(valid) ?? 2; ; number++) {
      const ending = `_${number}`;
      const candidate = `${valid.slice(0, longest - ending.length)}${ending}`;
      if (taken.has(candidate)) continue;
      next.set(valid, number + 1);
      return candidate;
    }
  };
  const result = new Map<string, string>();
  for (const name of names) {
    if (result.has(name)) continue;
    const own = toValid(name) === name ? name : free(name);
    taken.add(own);
    result.set(name, own);
  }
  return result;
};
