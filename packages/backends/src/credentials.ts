import { takeUserinfo } from './address.js';
import type { Warning } from './answer.js';
import type { Backend, Credentials, WireBackend } from './backend.js';
import type { AskContext } from './context.js';
import { badOption, keyCommandFailed } from './errors.js';
import { type Layer, pick } from './layers.js';

/** How to reach the provider, where the key came from (never the key), and what was left out. */
export type ResolvedCredentials = {
  credentials: Credentials;
  keySource?: string;
  urlSource?: string;
  warnings: Warning[];
};

type Machine = Pick<AskContext, 'environment' | 'runCommand'>;

/** Whether an address is on this machine. */
export const isLoopback = (url: string): boolean => {
  try {
    const { hostname } = new URL(url.includes('://') ? url : `http://${url}`);
    return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  } catch {
    return false;
  }
};

/** Environment variables that this backend reads, in order: its own, then those made from its name. */
export const environmentNames = (backend: Backend): { key: string[]; url: string[]; model: string[] } => {
  const named = (backend as Partial<WireBackend>).environment ?? {};
  const upper = backend.name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  const unique = (names: string[]) => [...new Set(names)];
  return {
    key: unique([...(named.key ?? []), `${upper}_API_KEY`, `${upper}_KEY`]),
    url: unique([...(named.url ?? []), `${upper}_URL`]),
    model: unique([...(named.model ?? []), `${upper}_MODEL`]),
  };
};

/** The first of these variables that is set and not blank, without white space around its value. */
export const fromEnvironment = (names: readonly string[], environment: AskContext['environment']) => {
  const name = names.find((candidate) => environment[candidate]?.trim());
  return name === undefined ? undefined : { name, value: (environment[name] as string).trim() };
};

const refused = (option: string, source: string): Warning => ({
  code: 'untrusted_option',
  message: `\`${option}\` in ${source} is ignored: it counts only in a call or below your own root (~/.colophon), since that file may have been copied from elsewhere.`,
});

const keyOptions = ['key', 'keyEnv', 'keyCommand'] as const;

const written = { key: 'key', keyEnv: 'key_env', keyCommand: 'key_command' };

const readKey = async (
  layer: Layer,
  machine: Machine,
  signal?: AbortSignal,
): Promise<{ key: string; keySource: string } | undefined> => {
  const { key, keyEnv, keyCommand } = layer.own as Record<string, string | undefined>;
  if (key) return { key, keySource: `key of ${layer.source}` };
  if (keyEnv) {
    const value = machine.environment[keyEnv]?.trim();
    if (!value) throw badOption('key_env', keyEnv, 'the name of an environment variable that is set', layer.source);
    return { key: value, keySource: `environment variable ${keyEnv}, named in ${layer.source}` };
  }
  if (!keyCommand) return undefined;
  if (!machine.runCommand) throw keyCommandFailed(layer.source, 'needs a context that runs commands');
  let printed: string;
  try {
    printed = (await machine.runCommand(keyCommand, signal)).trim();
  } catch (error) {
    signal?.throwIfAborted();
    // What the command printed may hold the key: only its status is told.
    const { code, killed } = error as { code?: unknown; killed?: unknown };
    if (killed === true && typeof code !== 'string')
      throw keyCommandFailed(layer.source, 'took too long and was stopped');
    throw keyCommandFailed(
      layer.source,
      `failed${typeof code === 'number' || typeof code === 'string' ? ` (${code})` : ''}`,
    );
  }
  if (printed === '') throw keyCommandFailed(layer.source, 'printed nothing');
  if (/[\r\n]/.test(printed)) throw keyCommandFailed(layer.source, 'printed more than one line');
  return { key: printed, keySource: `key_command of ${layer.source}` };
};

const hasKey = ({ own }: Layer): boolean => keyOptions.some((option) => own[option]);

const isAuthorization = (name: string): boolean => name.toLowerCase() === 'authorization';

// What a provider reads beside key and address; the region of an option counts before that of the environment.
const moreOf = (backend: Backend, environment: AskContext['environment']): Record<string, string> => {
  const names = Object.entries((backend as Partial<WireBackend>).environment?.more ?? {});
  const found = names.map(([name, variables]) => [name, fromEnvironment(variables, environment)?.value] as const);
  return Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
};

/** The address without user and password; these stand in the headers, unless an authorization is there already. */
const splitAddress = (
  given: string | undefined,
  source: string | undefined,
  headers: Record<string, string> = {},
): Pick<Credentials, 'url' | 'headers'> => {
  const { url, authorization } = given === undefined ? {} : takeUserinfo(given, source ?? 'the call');
  const all =
    authorization === undefined || Object.keys(headers).some(isAuthorization) ? headers : { authorization, ...headers };
  return { ...(url === undefined ? {} : { url }), ...(Object.keys(all).length > 0 ? { headers: all } : {}) };
};

/**
 * Address, key and headers. Keys, headers and addresses elsewhere count only from trusted layers; a key goes to no address
 * that an untrusted layer gave.
 */
export const resolveCredentials = async (
  layers: readonly Layer[],
  backend: Backend,
  machine: Machine,
  signal?: AbortSignal,
): Promise<ResolvedCredentials> => {
  const warnings: Warning[] = [];
  const urlLayer = layers.find(({ own, trusted, source }) => {
    if (!own.url) return false;
    const allowed = trusted || isLoopback(String(own.url));
    if (!allowed) warnings.push(refused('url', source));
    return allowed;
  });
  for (const { own, trusted, source } of layers) {
    if (trusted) continue;
    for (const option of keyOptions) if (own[option]) warnings.push(refused(written[option], source));
    if (own.headers) warnings.push(refused('headers', source));
  }
  const trusted = layers.filter((layer) => layer.trusted);
  const names = environmentNames(backend);
  const urlFromEnvironment = urlLayer ? undefined : fromEnvironment(names.url, machine.environment);
  const url = urlLayer ? String(urlLayer.own.url) : urlFromEnvironment?.value;
  const mayHaveKey = urlLayer === undefined || urlLayer.trusted;
  const keyLayer = mayHaveKey ? trusted.find(hasKey) : undefined;
  const keyFromEnvironment = mayHaveKey && !keyLayer ? fromEnvironment(names.key, machine.environment) : undefined;
  const own = keyLayer
    ? await readKey(keyLayer, machine, signal)
    : keyFromEnvironment && {
        key: keyFromEnvironment.value,
        keySource: `environment variable ${keyFromEnvironment.name}`,
      };
  const headers = (mayHaveKey ? pick(trusted, 'headers')?.value : undefined) as Record<string, string> | undefined;
  const urlSource = urlLayer?.source ?? (urlFromEnvironment && `environment variable ${urlFromEnvironment.name}`);
  const timeout = pick(layers, 'timeout')?.value;
  const maxRetries = pick(layers, 'maxRetries')?.value;
  const region = pick(layers, 'region')?.value;
  const credentials: Credentials = {
    ...(mayHaveKey ? moreOf(backend, machine.environment) : {}),
    ...(region ? { region } : {}),
    ...(own ? { key: own.key } : {}),
    ...splitAddress(url, urlSource, headers),
    ...(timeout === undefined ? {} : { timeout: timeout as number }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  };
  return {
    credentials,
    warnings,
    ...(own ? { keySource: own.keySource } : {}),
    ...(urlSource === undefined ? {} : { urlSource }),
  };
};
