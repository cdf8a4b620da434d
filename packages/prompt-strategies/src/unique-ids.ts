/** Gives ids out once: the first to come keeps its id, later ones get `_2`, `_3`… behind it. */
export const uniqueIds = (): ((id: string) => string) => {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return (id) => {
    let unique = id;
    for (let number = next.get(id) ?? 2; used.has(unique); number++) {
      unique = `${id}_${number}`;
      next.set(id, number + 1);
    }
    used.add(unique);
    return unique;
  };
};
