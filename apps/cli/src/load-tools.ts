import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ColophonError } from '@colophon/chat-format';
import { checkRegistry, type Tool } from '@colophon/tools';
import type { MachineContext } from './context.js';

const isTool = (value: unknown): value is Tool =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Tool).name === 'string' &&
  typeof (value as Tool).run === 'function';

const noTools = (file: string, problem: string, cause?: unknown) =>
  new ColophonError(
    'no_tools',
    `${file}: ${problem}; a tool module exports {name, description, parameters, run}, or lists of such`,
    { cause },
  );

const loadModule = async (file: string, { workingDirectory }: MachineContext): Promise<Tool[]> => {
  let loaded: Record<string, unknown>;
  try {
    loaded = await import(pathToFileURL(resolve(workingDirectory, file)).href);
  } catch (error) {
    throw noTools(file, `cannot be loaded (${(error as Error).message.split('\n')[0]})`, error);
  }
  const tools = [...new Set(Object.values(loaded).flat())].filter(isTool);
  if (tools.length === 0) throw noTools(file, 'exports no tools');
  return tools.map((tool) => ({ ...tool, origin: tool.origin ?? file }));
};

/** The tools that modules export, one by one or in lists. Loading a module runs it: only those that a person names. */
export const loadTools = async (files: readonly string[], context: MachineContext): Promise<readonly Tool[]> =>
  checkRegistry((await Promise.all(files.map((file) => loadModule(file, context)))).flat());
