import { readFile } from 'node:fs/promises';

/** The line of a workflow's file where its name stands; the first where it is not written out. */
export const placeOfName = async (file: string, name: string): Promise<number> => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const index = lines.findIndex((line) => /\bname\b/.test(line) && line.includes(name));
  return Math.max(index, 0) + 1;
};
