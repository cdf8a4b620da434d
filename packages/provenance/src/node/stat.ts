import { lstatSync, type Stats, statSync } from 'node:fs';

// Node keeps the facts of the file that was asked for last, and where these are of a pipe or a socket it ends in the midst of the
// links that lead to a module, which it then does not find. Asking for another file helps.
const forgetPipes = (stats: Stats | undefined): Stats | undefined => {
  if (stats?.isFIFO() || stats?.isSocket()) statSync('/');
  return stats;
};

/** Facts of what stands at a path, links followed; undefined where nothing does. Throws what the system says, such as `ELOOP`. */
export const statAt = (path: string): Stats | undefined => forgetPipes(statSync(path, { throwIfNoEntry: false }));

/** The same of a link itself. */
export const linkAt = (path: string): Stats | undefined => forgetPipes(lstatSync(path, { throwIfNoEntry: false }));
