import { mkdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileError } from '../errors.js';

/** A name without any folder. */
const isBare = (path: string) => basename(path) === path && path !== '' && path !== '.' && path !== '..';

/** Whether something stands at a path. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Where a chat is written: a bare name of no file goes to the `chats/` folder of the first root. */
export const placeToWrite = async (path: string, roots: readonly string[] = []): Promise<string> => {
  const [root] = roots;
  return root === undefined || !isBare(path) || (await exists(path)) ? path : join(root, 'chats', path);
};

/** Where a chat may stand that is to be read, best place first. */
export const placesToRead = (path: string, roots: readonly string[] = []): string[] =>
  isBare(path) ? [path, ...roots.map((root) => join(root, 'chats', path))] : [path];

/**
 * The file behind a path: symbolic links are followed, also one whose target is still to be created. Creates the
 * folder. Two paths to one file have the same real path, and so the same lock.
 */
export const realTarget = async (path: string): Promise<string> => {
  let target = resolve(path);
  try {
    for (let links = 0; links < 40; links += 1) {
      const folder = dirname(target);
      await mkdir(folder, { recursive: true });
      target = join(await realpath(folder), basename(target));
      const link = await readlink(target).catch(() => undefined);
      if (link === undefined) return target;
      target = resolve(dirname(target), link);
    }
    return await realpath(target);
  } catch (cause) {
    throw fileError('write', path, (cause as NodeJS.ErrnoException).code === 'EEXIST' ? { code: 'ENOTDIR' } : cause);
  }
};
