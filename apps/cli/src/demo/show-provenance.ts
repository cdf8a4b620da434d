import { buildGraph, renders, tokenEvents } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import type { MachineContext } from '../context.js';
import { wrap } from '../two-columns.js';

/** The tree of a session as lines of at most `width` columns: what the chat leads to, and the one cost. */
export const provenanceLines = async (
  chat: string,
  width: number,
  { home, roots, workingDirectory }: MachineContext,
): Promise<string[]> => {
  const reader = nodeReader({ roots: roots.map(({ path }) => path), home, workingDirectory });
  const graph = await buildGraph(chat, { reader });
  const tree = renders.tree(graph, tokenEvents(graph).events, { home });
  return tree.split('\n').flatMap((line) => {
    const [, margin = '', text = ''] = /^( *)(.*)$/s.exec(line) ?? [];
    const [first = '', ...others] = wrap(text, Math.max(20, width - margin.length - 6));
    return [`  ${margin}${first}`, ...others.map((other) => `  ${margin}    ${other}`)];
  });
};
