import type { Reader } from '@colophon/provenance';
import { buildGraph, type Graph, type TokenEvent, tokenEvents } from '@colophon/provenance';
import type { MachineContext } from './context.js';
import { createProgress } from './progress.js';

/** A session as it was read: what hangs below a chat or job, and the inferences that are persisted in it. */
export type ReadSession = { graph: Graph; events: TokenEvent[] };

/** Reads what hangs below a root, and tells how far it has come. All warnings are in the graph. */
export const readSession = async (
  root: string,
  reader: Reader,
  { follow, strict }: { follow?: readonly string[] | undefined; strict: boolean },
  context: MachineContext,
): Promise<ReadSession> => {
  const progress = createProgress('chats read', context);
  const counting: Reader = {
    ...reader,
    chat: (path) => {
      progress.tick();
      return reader.chat(path);
    },
  };
  try {
    const graph = await buildGraph(root, { reader: counting, follow, strict, signal: context.signal });
    const { events, warnings } = tokenEvents(graph, { strict });
    return { graph: { ...graph, warnings: [...graph.warnings, ...warnings] }, events };
  } finally {
    progress.end();
  }
};
