import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AnalystFiles } from '../task.js';

const kindOf = (entry: { isFile(): boolean; isDirectory(): boolean }) =>
  entry.isFile() ? ('file' as const) : entry.isDirectory() ? ('folder' as const) : ('other' as const);

/** Bytes of a note or `.jobs` file beyond which it is neither. */
const mostBytes = 20_000_000;

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
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o644);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  },
};
