import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Reader } from '@colophon/provenance';
import type { MachineContext } from './context.js';
import { locateChat } from './locate-chat.js';

const stands = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Absolute path of a chat or job that is there: as it is named (a job where an `.info` lies beside it), a chat of the libraries, or
 * a job by its short path (`Workflow/task/name`) below the roots.
 */
export const locateRoot = async (name: string, reader: Reader, context: MachineContext): Promise<string> => {
  const path = resolve(context.workingDirectory, name);
  if (stands(path) || stands(`${path}.info`)) return path;
  try {
    return await locateChat(name, context);
  } catch (error) {
    const job = await reader.findJob(name, join(context.workingDirectory, 'here'));
    if (job === undefined) throw error;
    return job;
  }
};
