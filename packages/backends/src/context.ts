import type { ContextOptions, Files, Policy, Workflows } from '@colophon/chat-compile';
import type { Strategy } from '@colophon/prompt-strategies';
import type { TakeToolsContext } from '@colophon/tools';
import type { AskOptions } from './ask-options.js';
import type { CachePlace } from './cache.js';

/** A folder that is searched for `etc/AI/…` and `chats/…`. `trusted`: it is the user's own, no folder that may have been cloned. */
export type Root = { path: string; trusted: boolean };

/**
 * What asking an agent means: the options of the call, with what the agent adds (`before`, `tools`, `defaults`, `steps`, …). Called
 * when an `agent` is named, by the call or by the chat, before anything is recorded. `file`: the chat's, absolute.
 */
export type AskAgent = (name: string, call: { options: AskOptions; file?: string }) => Promise<AskOptions>;

/** All that `ask` takes from the machine, filled by the outermost layer: `nodeContext` of the `/node` subpath makes one. */
export type AskContext = {
  /** Environment variables: keys, addresses, `COLOPHON_ENDPOINT`, `COLOPHON_BACKEND`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative paths are resolved against it. */
  workingDirectory?: string;
  /** Search roots in order, absolute. */
  roots: readonly Root[];
  files: Files;
  /** What a chat file may do; default `run`. */
  policy?: Policy;
  workflows?: Workflows;
  /** Engines of the tools that a chat declares. */
  toolSources?: TakeToolsContext;
  /** The table in which names of prompt strategies are looked up; absent: the built-in one. */
  strategies?: Record<string, Strategy>;
  /** More of what compiling takes: limits, configuration, home. */
  compile?: Partial<Pick<ContextOptions, 'home' | 'config' | 'grants' | 'inlineExceptions' | 'limits' | 'stages'>>;
  agents?: AskAgent;
  /** Looks a threshold of a prompt strategy up in the configuration. */
  setting?: (name: string) => string | number | undefined;
  /** Where finished inferences are kept for `persist`; absent: nowhere. */
  cache?: CachePlace;
  now: () => Date;
  randomId: () => string;
  /** Runs an endpoint's `key_command` and returns what it printed. */
  runCommand?: (command: string, signal?: AbortSignal) => Promise<string>;
  log?: (line: string) => void;
};
