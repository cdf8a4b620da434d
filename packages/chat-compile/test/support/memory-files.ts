import type { Files } from '@colophon/chat-compile';

/** Files that live in a record of absolute paths; `reads` lists what was read, in order. */
export const memoryFiles = (
  tree: Record<string, string | Uint8Array>,
  pages: Record<string, string> = {},
): Files & { reads: string[] } => {
  const reads: string[] = [];
  const bytesOf = (path: string) => {
    const content = tree[path];
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const below = (path: string) => (path === '/' ? '/' : `${path}/`);
  return {
    reads,
    stat: async (path) => {
      const bytes = bytesOf(path);
      if (bytes) return { kind: 'file', size: bytes.length };
      return Object.keys(tree).some((name) => name.startsWith(below(path)))
        ? { kind: 'directory', size: 0 }
        : undefined;
    },
    readBytes: async (path, length) => {
      reads.push(path);
      const bytes = bytesOf(path);
      if (!bytes) throw new Error(`nothing at ${path}`);
      return bytes.subarray(0, length);
    },
    list: async (path) => [
      ...new Set(
        Object.keys(tree)
          .filter((name) => name.startsWith(below(path)))
          .map((name) => name.slice(below(path).length).split('/')[0] as string),
      ),
    ],
    fetchText: async (url) => {
      reads.push(url);
      const page = pages[url];
      if (page === undefined) throw new Error('the server answered 404');
      return page;
    },
  };
};
