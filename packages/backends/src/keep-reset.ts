import { link, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === 'EEXIST';

/**
 * Moves a chat's file to `<file>.files/resets/<time of its last change>.chat` (`_1`, `_2` where that is taken), so that what a
 * restart leaves behind stays readable. Returns its new path.
 */
export const keepReset = async (file: string): Promise<string> => {
  const folder = join(`${file}.files`, 'resets');
  const time = (await stat(file)).mtime.toISOString().replaceAll(':', '');
  await mkdir(folder, { recursive: true });
  for (let count = 0; ; count++) {
    const path = join(folder, `${time}${count === 0 ? '' : `_${count}`}.chat`);
    try {
      // Linked, then removed: nothing that is there is ever replaced.
      await link(file, path);
      await rm(file);
      return path;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
};
