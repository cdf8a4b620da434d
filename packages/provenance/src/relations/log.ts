import { byText, stemOf } from '../path-text.js';
import type { Reader } from '../reader.js';
import type { RelationContext, RelationFinder } from './relation.js';
import { openSidecar, sweepChats } from './sweep.js';

/** Chats in `<path>.files/`: its transcripts, societies, and for jobs the older `log/`. */
const filesChats = async (path: string, legacy: boolean, context: RelationContext) => {
  const isSociety = (name: string) => name.endsWith('.society') || (legacy && name === 'log');
  const sidecar = await openSidecar(
    `${path}.files`,
    (name, kind) => (kind === 'folder' ? isSociety(name) : name.endsWith('.chat')),
    context,
  );
  const own: string[] = [];
  const deep: string[] = [];
  for (const entry of sidecar?.entries ?? []) {
    if (entry.kind === 'folder') deep.push(...(await sweepChats(entry.path, context)));
    else own.push(entry.path);
  }
  return { own, deep };
};

/** Whether `<path>.files/` belongs to a job rather than to the chat that is its result. */
const isResult = async (path: string, reader: Reader): Promise<boolean> =>
  (await reader.look(`${path}.info`)) !== undefined;

/**
 * Chats that were saved beside a chat or job while it ran: `<x>.files/*.chat`, `<x>.files/*.society/**`, for a chat `y.chat`
 * its `y.society/**`, for a job also `<x>.files/log/**`. A transcript with the very bytes of its chat is a copy, and left out.
 */
export const log: RelationFinder = async (node, context) => {
  const found: string[] = [];
  if (node.kind === 'job') {
    if (node.missing) return [];
    const { own, deep } = await filesChats(node.path, true, context);
    found.push(...own, ...deep);
  } else {
    const { own, deep } = await filesChats(node.path, false, context);
    if (own.length + deep.length > 0 && !(await isResult(node.path, context.reader))) {
      for (const path of own) if (!(await context.reader.same(node.path, path))) found.push(path);
      found.push(...deep);
    }
    found.push(...(await sweepChats(`${stemOf(node.path)}.society`, context)));
  }
  return [...new Set(found)].sort(byText).map((path) => ({ kind: 'chat' as const, path }));
};
