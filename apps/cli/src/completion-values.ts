import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CompletionKind } from './command.js';
import type { Candidate, ValuesOf } from './complete-words.js';
import type { MachineContext } from './context.js';

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
};

/** Chats of the library: the files in `chats/` of each root, by their bare names. */
const libraryChats = ({ roots }: MachineContext): Candidate[] =>
  roots.flatMap(({ path }) =>
    namesIn(join(path, 'chats')).map((value) => ({ value, description: join(path, 'chats') })),
  );

type Values = (context: MachineContext, words: readonly string[]) => Candidate[] | Promise<Candidate[]>;

const agentValues = async ({ roots }: MachineContext): Promise<Candidate[]> =>
  (await (await import('@colophon/agent')).listAgents({ roots })).map(({ name, path }) => ({
    value: name,
    description: path,
  }));

const values: Readonly<Record<CompletionKind, Values>> = {
  file: () => [],
  chat: libraryChats,
  template: libraryChats,
  endpoint: async (context) => (await import('./backend-values.js')).endpointValues(context),
  backend: async () => (await import('./backend-values.js')).backendValues(),
  workflow: async (context) => (await import('./workflow-values.js')).workflowValues(context),
  agent: agentValues,
  task: async (context, words) => (await import('./workflow-values.js')).taskValues(context, words),
  input: async (context, words) => (await import('./workflow-values.js')).inputValues(context, words),
};

/** The values that completion offers on this machine. */
export const valuesOf =
  (context: MachineContext): ValuesOf =>
  async (kind, words) =>
    values[kind](context, words);
