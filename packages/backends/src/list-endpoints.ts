import { shownAddress } from './address.js';
import type { AskContext } from './context.js';
import { isLoopback } from './credentials.js';
import { findEndpoints, readEndpoint } from './endpoints.js';

/** An endpoint as it is shown to a person: never its key. */
export type EndpointInfo = {
  name: string;
  file: string;
  /** It stands below a root of the user's own, so that its key and address count. */
  trusted: boolean;
  backend?: string;
  model?: string;
  url?: string;
  /** Where the key comes from; absent where the file names none. */
  keySource?: string;
  /** Options of the file that do not count, since it is not the user's own. */
  ignored: string[];
  /** Why the file can't be used. */
  problem?: string;
};

const keySourceOf = (options: Record<string, unknown>, environment: AskContext['environment']): string | undefined => {
  if (options['key']) return 'in the file';
  const name = options['key_env'];
  if (typeof name === 'string') {
    // What is no name of a variable may be the key itself.
    if (environment[name]) return `environment variable ${name}`;
    return /^[A-Z_][A-Z0-9_]*$/.test(name)
      ? `environment variable ${name} (not set)`
      : 'an environment variable (not set)';
  }
  return options['key_command'] ? 'printed by a command' : undefined;
};

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

const ignoredOptions = (options: Record<string, unknown>, trusted: boolean): string[] => {
  if (trusted) return [];
  const elsewhere = options['url'] !== undefined && !isLoopback(String(options['url'])) ? ['url'] : [];
  return [
    ...['key', 'key_env', 'key_command', 'headers'].filter((option) => options[option] !== undefined),
    ...elsewhere,
  ];
};

const describe = async (
  found: { name: string; file: string; trusted: boolean },
  context: AskContext,
): Promise<EndpointInfo> => {
  let options: Record<string, unknown>;
  try {
    ({ options } = await readEndpoint(found.name, context));
  } catch (error) {
    return { ...found, ignored: [], problem: error instanceof Error ? error.message : String(error) };
  }
  const shown = {
    backend: textOf(options['backend']),
    model: textOf(options['model']),
    url: options['url'] === undefined ? undefined : shownAddress(String(options['url'])),
    keySource: keySourceOf(options, context.environment),
  };
  const present = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
  return { ...found, ...present, ignored: ignoredOptions(options, found.trusted) };
};

/** What is configured below the roots, and where from. A file that can't be read is listed with its problem. */
export const listEndpoints = async (context: AskContext): Promise<EndpointInfo[]> => {
  const found = await findEndpoints(context);
  return Promise.all(found.map((endpoint) => describe(endpoint, context)));
};
