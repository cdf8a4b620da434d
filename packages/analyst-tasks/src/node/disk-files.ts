import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AnalystFiles } from '../task.js';

const kindOf = (entry: { isFile(): boolean; isDirectory(): boolean }) =>
  entry.isFile() ? ('file' as const) : entry.isDirectory() ? ('folder' as const) : ('other' as const);

/** Bytes of a note or `.jobs` file beyond which it is neither. */
const mostBytes = 64_000_000;

const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' }) : error;
  });
};

/** The files of this machine. */
export const diskFiles: AnalystFiles = {
  stat: async (path) => {
    const facts = await stat(path).catch(() => undefined);
    return facts && { kind: kindOf(facts), size: facts.size, modified: facts.mtimeMs };
  },
  list: async (folder) => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    return entries
      .map((entry) => ({ name: entry.name, kind: entry.isSymbolicLink() ? ('link' as const) : kindOf(entry) }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  },
  readText: async (path) => {
    const facts = await lstat(path).catch(() => undefined);
    if (!facts?.isFile() || facts.size > mostBytes) return undefined;
    return readFile(path, 'utf8').catch(() => undefined);
  },
  createFile: async (path, text) => {
    await makeFolder(dirname(path));
    // A note may be taken at any moment: it is written under a name that nobody takes, and gets its own when it is whole.
    const draft = join(dirname(path), `.${basename(path).slice(0, 40)}.${randomUUID()}`);
    const file = await open(draft, 'wx', 0o644);
    try {
      await file.writeFile(text).finally(() => file.close());
      await link(draft, path);
    } finally {
      await unlink(draft);
    }
  },
};
