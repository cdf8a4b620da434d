import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { type Chat, parseChat } from '@colophon/chat-format';
import { readText } from '@colophon/chat-format/node';
import type { AgentDefinition } from './agent-definition.js';
import { type AgentParts, agentPlaces, readParts } from './agent-places.js';
import { badAgentName, noAgentHere, unknownAgent } from './errors.js';
import { listAgents } from './list-agents.js';

/** Where agents are searched: roots in order, absolute, and what relative paths start from. */
export type AgentRoots = { roots: readonly { path: string }[]; workingDirectory?: string; home?: string };

const isPath = (name: string): boolean => isAbsolute(name) || /^(?:\.{1,2}|~)(?:\/|$)/.test(name);

/** Folders with `/` between them, none of which is hidden or leads elsewhere. */
const isAgentName = (name: string): boolean =>
  name.length <= 200 &&
  name.split('/').every((part) => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.\- ]*$/u.test(part) && !part.includes('..'));

const pathOf = (name: string, { workingDirectory = '/', home }: AgentRoots): string =>
  home !== undefined && /^~(?:\/|$)/.test(name) ? join(home, name.slice(1)) : resolve(workingDirectory, name);

const readStart = async (file: string): Promise<Chat> => parseChat(await readText(file), { file });

const toDefinition = async (name: string, path: string, parts: AgentParts): Promise<AgentDefinition> => ({
  name,
  path,
  start: parts.start === undefined ? [] : await readStart(parts.start),
  ...(parts.workflow === undefined ? {} : { workflow: parts.workflow }),
  ...(parts.knowledgeBase === undefined ? {} : { knowledgeBase: parts.knowledgeBase }),
});

const loadPath = async (name: string, roots: AgentRoots): Promise<AgentDefinition> => {
  const path = pathOf(name, roots);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return { name: basename(path).replace(/\.chat$/, ''), path, start: await readStart(path) };
  const parts = await readParts(path);
  if (!parts) throw noAgentHere(path);
  return toDefinition(basename(path), path, parts);
};

const partNames = ['start', 'workflow', 'knowledgeBase'] as const;

/**
 * Loads an agent by its name, from `Agent/`, `workflows/`, `chats/Agent/` and `chats/` below the roots, or by the path of its folder
 * or start chat. Of several folders with its name each part counts from the first that has it. Reads, and runs nothing.
 *
 * @throws ColophonError `unknown_agent` with the known ones and the places looked at, `bad_agent_name`, and the errors of reading.
 */
export const loadAgent = async (name: string, roots: AgentRoots): Promise<AgentDefinition> => {
  if (isPath(name)) return loadPath(name, roots);
  if (!isAgentName(name)) throw badAgentName(name);
  const places = agentPlaces.flatMap((place) => roots.roots.map(({ path }) => join(path, place, name)));
  let found: { path: string; parts: AgentParts } | undefined;
  for (const path of places) {
    const parts = await readParts(path);
    if (!parts) continue;
    found ??= { path, parts: {} };
    for (const part of partNames) {
      const file = parts[part];
      if (file !== undefined) found.parts[part] ??= file;
    }
  }
  if (found) return toDefinition(name, found.path, found.parts);
  throw unknownAgent(
    name,
    (await listAgents(roots)).map((agent) => agent.name),
    roots.roots.map(({ path }) => path),
  );
};
