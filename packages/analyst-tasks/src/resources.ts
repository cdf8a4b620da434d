import { digestOf } from './text.js';

/** A file or address that a call's arguments name, told without its name. */
export type Resource = { key: string; kind: 'path' | 'url' };

const pathKeys = new Set(['path', 'file', 'filename', 'file_path', 'filepath', 'directory', 'dir', 'folder', 'cwd']);

const kindOf = (key: string, value: unknown): Resource['kind'] | undefined => {
  if (typeof value !== 'string' || value === '' || value.length > 4096 || value.includes('\n')) return undefined;
  if (/^https?:\/\//i.test(value)) return 'url';
  return pathKeys.has(key) || /^(~|\.{1,2})?\/\S+$/.test(value) ? 'path' : undefined;
};

/** The files and addresses among the arguments of a call, and in lists among them; each once. */
export const resourcesIn = (input: unknown): Resource[] => {
  if (typeof input !== 'object' || input === null) return [];
  const found = new Map<string, Resource>();
  for (const [key, value] of Object.entries(input))
    for (const one of Array.isArray(value) ? value : [value]) {
      const kind = kindOf(key, one);
      if (kind) found.set(one as string, { key: digestOf(one as string, 'sha256', 16), kind });
    }
  return [...found.values()];
};
