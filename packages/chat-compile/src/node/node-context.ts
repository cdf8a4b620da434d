import { type CompileContext, type ContextOptions, createContext } from '../context.js';
import { diskFiles } from './disk-files.js';

/** A context on this machine's disk, from values that are passed in: nothing is read from the process. */
export const nodeContext = (
  options: Omit<ContextOptions, 'files'> & Partial<Pick<ContextOptions, 'files'>>,
): CompileContext => createContext({ files: diskFiles, ...options });
