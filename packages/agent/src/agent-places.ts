import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where agents stand below a root, in the order in which they are searched. */
export const agentPlaces = ['Agent', 'workflows', 'chats/Agent', 'chats'] as const;

/** What a folder holds that makes it an agent; absolute paths. */
export type AgentParts = { start?: string; workflow?: string; knowledgeBase?: string };

const startFiles = ['start_chat', 'start_chat.chat'];
const workflowFiles = ['workflow.ts', 'workflow.mts', 'workflow.js', 'workflow.mjs'];

const kindOf = async (path: string): Promise<'file' | 'folder' | undefined> => {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? 'file' : found?.isDirectory() ? 'folder' : undefined;
};

const firstFile = async (folder: string, names: readonly string[]): Promise<string | undefined> => {
  for (const name of names) if ((await kindOf(join(folder, name))) === 'file') return join(folder, name);
  return undefined;
};

/** The parts of an agent in a folder; undefined where it holds none. */
export const readParts = async (folder: string): Promise<AgentParts | undefined> => {
  const start = await firstFile(folder, startFiles);
  const workflow = await firstFile(folder, workflowFiles);
  const bases = join(folder, 'knowledge_base');
  const knowledgeBase = (await kindOf(bases)) === 'folder' ? bases : undefined;
  if (!start && !workflow && !knowledgeBase) return undefined;
  return {
    ...(start ? { start } : {}),
    ...(workflow ? { workflow } : {}),
    ...(knowledgeBase ? { knowledgeBase } : {}),
  };
};

/** The names in a folder that may be folders, sorted; none where it can't be listed. */
export const foldersIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
};
