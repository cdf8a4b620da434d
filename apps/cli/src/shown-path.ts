import { isAbsolute, relative } from 'node:path';
import type { MachineContext } from './context.js';

/** A path as a person reads it best: from the working folder where it lies in it, else whole. */
export const shownPath = (path: string, { workingDirectory }: MachineContext): string => {
  const shown = relative(workingDirectory, path);
  if (shown === '') return '.';
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown;
};
