import { createHash } from 'node:crypto';

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);

/**
 * A name as that of one folder or file. Letters, digits, `_` and `-` stay as they are; any other name is changed and gets a dot and a
 * hash of the whole, so that no name leaves its folder and no two names meet.
 */
export const folderName = (name: string): string => {
  if (isPlain(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 48)}.${hash}`;
};
