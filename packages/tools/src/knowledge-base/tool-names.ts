const detailsEnding = '_association_details';

// `defineTool` allows 128 characters.
const longest = 128 - detailsEnding.length;

/** Names of a database's two tools. */
export type ToolNames = { query: string; details: string };

/** Names of the tools of databases: letters, digits, `_` and `-`, each once, the same whichever databases are then used. Linear. */
export const toToolNames = (names: readonly string[]): Map<string, ToolNames> => {
  const used = new Set<string>();
  const tried = new Map<string, number>();
  return new Map(
    names.map((name) => {
      const base = name.replaceAll(/[^\w-]/g, '_').slice(0, longest) || '_';
      let query = base;
      let number = tried.get(base) ?? 1;
      while (used.has(query) || used.has(query + detailsEnding)) {
        number += 1;
        query = `${base.slice(0, longest - 8)}_${number}`;
      }
      tried.set(base, number);
      used.add(query).add(query + detailsEnding);
      return [name, { query, details: query + detailsEnding }] as const;
    }),
  );
};
