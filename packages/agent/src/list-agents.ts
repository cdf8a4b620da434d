import { join } from 'node:path';
import { type AgentParts, agentPlaces, foldersIn, readParts } from './agent-places.js';

/** An agent that is there: its name, its folder, and what the folder holds. */
export type ListedAgent = { name: string; path: string; parts: AgentParts };

/** Folders of folders that are looked into. */
const depth = 4;

// A folder of chats, or a workflow, is an agent where it says how a conversation starts.
const needsStart = new Set<string>(['workflows', 'chats']);

const below = async (folder: string, prefix: string, level: number): Promise<ListedAgent[]> => {
  const found: ListedAgent[] = [];
  for (const entry of await foldersIn(folder)) {
    const path = join(folder, entry);
    const name = `${prefix}${entry}`;
    const parts = await readParts(path);
    if (parts) found.push({ name, path, parts });
    if (level > 1) found.push(...(await below(path, `${name}/`, level - 1)));
  }
  return found;
};

/** All agents below the roots, each once, in the order in which they are found, then by name. Nothing is loaded. */
export const listAgents = async ({ roots }: { roots: readonly { path: string }[] }): Promise<ListedAgent[]> => {
  const byName = new Map<string, ListedAgent>();
  for (const place of agentPlaces) {
    for (const { path } of roots) {
      // `chats/Agent` is a place of its own.
      const found = (await below(join(path, place), '', depth)).filter(
        ({ name, parts }) =>
          (!needsStart.has(place) || parts.start !== undefined) && !(place === 'chats' && name.startsWith('Agent/')),
      );
      for (const agent of found) if (!byName.has(agent.name)) byName.set(agent.name, agent);
    }
  }
  return [...byName.values()];
};
