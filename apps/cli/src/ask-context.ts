import type { AskContext } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import { type ConfigEntry, lookUpConfig } from '@colophon/chat-compile';
import type { ToolSources } from '@colophon/tools';
import { cachePlace } from './cache-place.js';
import { readConfig } from './config-file.js';
import type { Environment, MachineContext } from './context.js';
import { workflowsOf } from './workflow-context.js';

/** The entry that counts: what a stronger root says comes last, and the latest wins. */
const lookUp = (
  entries: readonly ConfigEntry[],
  key: string,
  tokens: string[],
  environment: Environment,
): string | undefined => {
  const value = lookUpConfig(entries, key, tokens, undefined, environment);
  return value === false ? undefined : value;
};

/**
 * What asking takes from this machine. The configuration's `endpoint` (tokens `ask`, `llm`) counts where no stronger source names
 * one, and `backend` too where a trusted root says it, since a backend may be code; thresholds of strategies by their names.
 * `toolSources`: what chats declare tools from; without them a chat that does is an error.
 */
export const askContext = (context: MachineContext, toolSources?: ToolSources): AskContext => {
  const { environment, workingDirectory, home, roots, now, randomId, log } = context;
  const weakestFirst = roots.toReversed();
  const entries = readConfig(weakestFirst);
  const trusted = readConfig(weakestFirst.filter((root) => root.trusted));
  const endpoint = lookUp(entries, 'endpoint', ['ask', 'llm'], environment);
  const backend = lookUp(trusted, 'backend', ['ask', 'llm'], environment);
  return nodeContext({
    environment: {
      ...(endpoint === undefined ? {} : { COLOPHON_ENDPOINT: endpoint }),
      ...(backend === undefined ? {} : { COLOPHON_BACKEND: backend }),
      ...environment,
    },
    workingDirectory,
    home,
    roots,
    setting: (name) => lookUp(entries, name, ['prompt', 'context'], environment),
    cache: cachePlace(context),
    workflows: workflowsOf(context),
    ...(toolSources === undefined ? {} : { toolSources }),
    now,
    randomId,
    log: (line) => log('warn', `colophon: ${line}`),
  });
};
