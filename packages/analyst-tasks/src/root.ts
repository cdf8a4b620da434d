import { isAbsolute, join, resolve } from 'node:path';
import { longPath } from './address.js';
import { unknownRoot } from './errors.js';
import type { AnalystContext } from './task.js';

/** A chat or a job that a session hangs below. */
export type Root = { kind: 'chat' | 'job'; path: string };

/** Where a root may be: the path, the path with `.chat`, and both in `chats/` of each search root. */
const placesFor = (name: string, { workingDirectory, roots, home }: AnalystContext): string[] => {
  const path = longPath(name, home);
  const folders = isAbsolute(path)
    ? [workingDirectory]
    : [workingDirectory, ...roots.map((root) => join(root, 'chats'))];
  const places = folders.map((folder) => resolve(folder, path));
  return [...new Set(places.flatMap((place) => [place, `${place}.chat`]))];
};

/**
 * Finds the root that a person named. It is a job where an `.info` lies beside it, be there a result or not.
 *
 * @throws ColophonError `unknown_root` with the places looked at.
 */
export const findRoot = async (name: string, context: AnalystContext): Promise<Root> => {
  const places = placesFor(name, context);
  for (const path of places) {
    if ((await context.files.stat(`${path}.info`))?.kind === 'file') return { kind: 'job', path };
    if ((await context.files.stat(path))?.kind === 'file') return { kind: 'chat', path };
  }
  throw unknownRoot(name, places);
};
