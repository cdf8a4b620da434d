import { z } from 'zod';
import { shortPath } from '../address.js';
import { type ImportReference, importClosure } from '../import-references.js';
import { defineFileTask } from '../task.js';

const reference = z.object({
  type: z.enum(['import', 'continue', 'last']),
  reference: z.string().describe('as it is written'),
  message_index: z.number().int(),
  resolved: z.boolean(),
  target_kind: z.literal('chat').optional(),
  target: z.string().optional(),
  unresolved_reason: z.enum(['missing', 'remote', 'empty']).optional(),
});

const target = z.object({
  target: z.string().describe('path of the chat, or the reference where there is none'),
  resolved: z.boolean(),
  references: z.number().int(),
  types: z.record(z.string(), z.number().int()),
  imported_by: z.array(z.string()).optional().describe('chats of the closure that import it'),
});

const sumUp = (
  references: readonly ImportReference[],
  importers: ReadonlyMap<string, readonly string[]>,
  home: string | undefined,
): z.input<typeof target>[] => {
  const sums = new Map<string, z.input<typeof target>>();
  for (const one of references) {
    const key = one.target ?? one.reference;
    const sum = sums.get(key) ?? {
      target: one.target === undefined ? key : shortPath(key, home),
      resolved: one.target !== undefined,
      references: 0,
      types: {},
      ...(importers.has(key) ? { imported_by: importers.get(key)!.map((path) => shortPath(path, home)) } : {}),
    };
    sum.references += 1;
    sum.types[one.type] = (sum.types[one.type] ?? 0) + 1;
    sums.set(key, sum);
  }
  return [...sums.values()];
};

/** What a chat imports, line by line, and all that is imported below it. */
export const provenanceRelationships = defineFileTask({
  name: 'provenance_relationships',
  description:
    'The `import`, `continue` and `last` lines of a chat as it is on disk, with the chats that they lead to, and the import closure: every chat imported below it, in the order in which they are needed, the root last. These references are no part of the provenance that the other tasks walk.',
  root: 'chat file',
  input: z.object({}),
  output: z.object({
    source: z.string(),
    references: z.array(reference),
    targets: z.array(target),
    import_closure: z.array(z.string()),
    note: z.string(),
  }),
  run: async ({ root, context }) => {
    const { home, reader } = context;
    const place = await reader.look(root.path);
    const path = typeof place === 'object' ? place.path : root.path;
    const closure = await importClosure(path, context);
    const own = closure.at(-1)?.references ?? [];
    const importers = new Map<string, string[]>();
    for (const { path, references } of closure) {
      const targets = references.flatMap(({ type, target }) =>
        type === 'import' && target !== undefined ? [target] : [],
      );
      for (const imported of new Set(targets)) {
        const list = importers.get(imported);
        if (list) list.push(path);
        else importers.set(imported, [path]);
      }
    }
    return {
      source: shortPath(path, home),
      references: own.map(({ type, reference, index, target, reason }) => ({
        type,
        reference,
        message_index: index,
        resolved: target !== undefined,
        ...(target === undefined ? {} : { target_kind: 'chat' as const, target: shortPath(target, home) }),
        ...(reason === undefined ? {} : { unresolved_reason: reason }),
      })),
      targets: sumUp(own, importers, home),
      import_closure: closure.map(({ path }) => shortPath(path, home)),
      note: 'Imported text stands in the compiled chat only; the cost of an imported chat is its own: see `chat_accounting`.',
    };
  },
});
