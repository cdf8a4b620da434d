import type { Chat } from '@colophon/chat-format';
import type { AnalystContext } from './task.js';

/** A line of a chat that imports another one. `target` is its real path; absent where there is none, `reason` says why. */
export type ImportReference = {
  type: 'import' | 'continue' | 'last';
  reference: string;
  index: number;
  target?: string;
  reason?: 'missing' | 'remote' | 'empty';
};

const types: Record<string, ImportReference['type']> = { import: 'import', continue: 'continue', last: 'last' };

/** Finds what a chat imports; nothing is compiled, no address is fetched. */
const importReferences = async (
  chat: Chat,
  path: string,
  { findChat, reader }: AnalystContext,
): Promise<ImportReference[]> => {
  const found: ImportReference[] = [];
  for (const [index, { role, content }] of chat.entries()) {
    const type = Object.hasOwn(types, role) ? types[role] : undefined;
    if (!type) continue;
    const reference = content.trim();
    const one = { type, reference, index };
    if (reference === '') found.push({ ...one, reason: 'empty' });
    else if (/^https?:\/\//i.test(reference)) found.push({ ...one, reason: 'remote' });
    else {
      const place = await findChat(reference, path);
      const real = place === undefined ? undefined : await reader.look(place);
      found.push(typeof real === 'object' ? { ...one, target: real.path } : { ...one, reason: 'missing' });
    }
  }
  return found;
};

/** A chat of an import closure. */
export type ImportedChat = { path: string; references: ImportReference[] };

/**
 * The chats that a root imports, each once: what is imported before what imports it, the root last. Loops end. `continue` and `last`
 * are references, and no part of it. Each chat is read once.
 */
export const importClosure = async (root: string, context: AnalystContext): Promise<ImportedChat[]> => {
  const closure: ImportedChat[] = [];
  const seen = new Set([root]);
  const open = async (path: string) => {
    const references = await importReferences((await context.reader.messages(path)) ?? [], path, context);
    const targets = references.flatMap(({ type, target }) =>
      type === 'import' && target !== undefined ? [target] : [],
    );
    return { path, references, targets, next: 0 };
  };
  const stack = [await open(root)];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    context.signal?.throwIfAborted();
    const target = top.targets[top.next++];
    if (target === undefined) {
      closure.push({ path: top.path, references: top.references });
      stack.pop();
    } else if (!seen.has(target)) {
      seen.add(target);
      stack.push(await open(target));
    }
  }
  return closure;
};
