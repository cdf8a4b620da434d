import { realpathSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Place } from '../reader.js';
import { linkAt, statAt } from './stat.js';

/** The path behind all links; undefined where nothing stands. */
export const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
};

export const kindOf = (entry: { isFile(): boolean; isDirectory(): boolean }): 'file' | 'folder' | 'other' =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';

const placeOf = (path: string, stats: Stats): Place => ({
  path,
  kind: kindOf(stats),
  size: stats.size,
  modified: stats.mtimeMs,
});

/** A path without steps back, so that its folder is the text before its last slash. */
const isStraight = (path: string): boolean => isAbsolute(path) && !/\/\.{0,2}(\/|$)/.test(path);

const follow = (path: string): Place | 'link_loop' | undefined => {
  const real = realPathOf(path);
  const stats = statAt(path);
  return stats && real !== undefined ? placeOf(real, stats) : undefined;
};

/**
 * Looks places up, with the real paths of folders kept until `forget`: most files are no links, so that one question to the system
 * is enough for each.
 */
export const createLook = () => {
  const folders = new Map<string, string | undefined>();

  const realFolder = (folder: string): string | undefined => {
    if (!folders.has(folder)) folders.set(folder, realPathOf(folder));
    return folders.get(folder);
  };

  const look = (path: string): Place | 'link_loop' | undefined => {
    try {
      if (!isStraight(path)) return follow(path);
      const stats = linkAt(path);
      if (!stats) return undefined;
      if (stats.isSymbolicLink()) return follow(path);
      const folder = realFolder(dirname(path));
      return folder === undefined ? undefined : placeOf(join(folder, basename(path)), stats);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'link_loop' : undefined;
    }
  };

  return { look, forget: () => folders.clear() };
};
