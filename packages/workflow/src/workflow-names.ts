const words = (name: string): string[] =>
  name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split(/[_\- ]+/)
    .filter((word) => word !== '');

/** A name as snake_case: `KitchenSink` → `kitchen_sink`. */
export const toSnakeCase = (name: string): string => words(name).join('_').toLowerCase();

/** A name as CamelCase: `kitchen_sink` → `KitchenSink`. */
const toCamelCase = (name: string): string =>
  words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Folder names that a workflow's name may stand for, the name itself first. */
export const nameVariants = (name: string): string[] => [...new Set([name, toSnakeCase(name), toCamelCase(name)])];

/** Letters of any script, digits, `_`, `-`, `.` and blanks inside; neither hidden nor a way to another folder. */
export const isWorkflowName = (name: string): boolean =>
  name.length <= 200 &&
  /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.\- ]*[\p{L}\p{M}\p{N}_-])?$/u.test(name) &&
  !name.includes('..');

/** A name as npm has them, with or without scope. */
export const isPackageName = (name: string): boolean =>
  name.length <= 214 && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*$/.test(name);

/** Edits (insert, delete, replace) from one word to another. Cost: the product of their lengths. */
const distance = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, replaced));
    }
    previous = current;
  }
  return previous[to.length]!;
};

/** The name that a mistyped one most likely meant: equal but for case and separators, else at most a third of it edited. */
export const nearestName = (name: string, names: readonly string[]): string | undefined => {
  if (name.length > 60) return undefined;
  const folded = toSnakeCase(name);
  const [best] = names
    .filter((other) => Math.abs(other.length - name.length) <= name.length)
    .map((other) => ({ other, edits: distance(folded, toSnakeCase(other)) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, Math.floor(name.length / 3)) ? best.other : undefined;
};
