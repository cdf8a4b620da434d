import { cp, mkdir, mkdtemp, readdir, readFile, realpath, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Json } from './vector.js';

const placeholder = '{{ROOT}}';

const isMacro = (value: object, name: string): boolean => Object.keys(value).length === 1 && name in value;

/** Puts the root in place of `{{ROOT}}`, in strings and keys, and writes `$repeat` and `$concat` out. */
export const expand = (value: Json, root: string): Json => {
  if (typeof value === 'string') return value.replaceAll(placeholder, root);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expand(item, root));
  if (isMacro(value, '$repeat')) {
    const [text, times] = value.$repeat;
    return String(expand(text, root)).repeat(times);
  }
  if (isMacro(value, '$concat')) return value.$concat.map((part: unknown) => expand(part, root)).join('');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [expand(key, root), expand(item, root)]));
};

/** A fresh directory, by its real path, outside the home directory. */
export const freshRoot = async (): Promise<string> => {
  const home = homedir();
  const outside = [tmpdir(), '/tmp', '/var/tmp'].find((path) => relative(home, path).startsWith('..'));
  return realpath(await mkdtemp(join(outside ?? tmpdir(), 'v-')));
};

const write = async (path: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};

/** Copies a folder of files below the root, with `{{ROOT}}` replaced in those that are text. */
const copyTree = async (tree: string, root: string): Promise<void> => {
  await cp(tree, root, { recursive: true });
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (bytes.includes(placeholder)) await write(path, bytes.toString('utf8').replaceAll(placeholder, root));
  }
};

type Layout = { files?: Record<string, unknown>; mkdir?: string | string[]; mtimes?: Record<string, number> };

/**
 * Lays out what an input describes: the tree of its case, `mkdir`, `files` (text, or a value written as JSON), and `mtimes`
 * (age in seconds). Relative paths are below the root.
 */
export const layOut = async (
  { files = {}, mkdir: directories = [], mtimes = {} }: Layout,
  root: string,
  tree?: string,
): Promise<void> => {
  if (tree !== undefined) await copyTree(tree, root);
  for (const path of [directories].flat()) await mkdir(resolve(root, path), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await write(resolve(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  for (const [path, age] of Object.entries(mtimes)) {
    const time = Date.now() / 1000 - age;
    await utimes(resolve(root, path), time, time);
  }
};
