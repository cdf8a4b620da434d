import type { Warning } from './answer.js';
import type { AskOptions } from './ask-options.js';
import type { Backend, Credentials } from './backend.js';
import { backends } from './backends.js';
import { assertSchema } from './check-format.js';
import { checkParameters } from './check-parameters.js';
import type { AskContext } from './context.js';
import { environmentNames, fromEnvironment, resolveCredentials } from './credentials.js';
import { type Endpoint, readEndpoint } from './endpoints.js';
import { noModel } from './errors.js';
import { type Format, type FormatInput, toJsonSchema } from './format.js';
import { type Layer, mergeParameters, pick, readFlag, toLayer } from './layers.js';
import { loadBackend } from './load-backend.js';
import type { HarnessOption } from './option-names.js';

/** All that a run was told, with every source weighed. */
export type ResolvedOptions = {
  backend: Backend;
  model: string;
  credentials: Credentials;
  keySource?: string;
  parameters: Record<string, unknown>;
  thresholds: Record<string, unknown>;
  format?: Format;
  /** The format as it was given: a zod schema checks more than its JSON Schema. */
  formatInput?: FormatInput;
  persist: boolean;
  /** Values of the harness's options, without those that tell how to reach the provider. */
  own: Partial<Record<HarnessOption, unknown>>;
  warnings: Warning[];
};

const aboutProvider: HarnessOption[] = [
  'model',
  'url',
  'key',
  'keyEnv',
  'keyCommand',
  'region',
  'headers',
  'timeout',
  'maxRetries',
  'prices',
  'backend',
  'endpoint',
];

const reaching: HarnessOption[] = ['url', 'key', 'keyEnv', 'keyCommand', 'headers'];

const off = (value: unknown): boolean =>
  ['', 'none', 'nil', 'null'].includes(String(value ?? '').toLowerCase()) || readFlag(value) === false;

const nameOfBackend = (backend: unknown): string =>
  typeof backend === 'object' && backend !== null ? String((backend as { name?: unknown }).name) : String(backend);

const differ = (chosen: unknown, own: unknown): boolean =>
  chosen !== undefined && own !== undefined && nameOfBackend(chosen) !== nameOfBackend(own);

// An endpoint, or what a run passes on, describes a way to one backend: where a stronger source names another, its key, address,
// model and parameters would go to the wrong provider.
const fitting = (layer: Layer, stronger: readonly Layer[], of: unknown): Layer => {
  const endpoint = pick(stronger, 'endpoint')?.value;
  const leadsElsewhere =
    differ(pick(stronger, 'backend')?.value, layer.own.backend) ||
    (layer.own.backend !== undefined && endpoint !== undefined && endpoint !== of);
  if (!leadsElsewhere) return layer;
  const own = Object.fromEntries(
    Object.entries(layer.own).filter(([name]) => !aboutProvider.includes(name as HarnessOption)),
  );
  return { ...layer, own, parameters: {} };
};

const toEndpointLayer = ({ file, trusted, options }: Endpoint): Layer => toLayer(options, file, trusted);

/** The name of the agent that is to be asked instead; undefined for none. */
export const namedAgent = (layers: readonly Layer[]): string | undefined => {
  const name = pick(layers, 'agent')?.value;
  return off(name) ? undefined : String(name);
};

/** Options that stand in a chat, and what to call it in messages. */
export type ChatOptions = { options: Readonly<Record<string, unknown>>; source: string };

/** The sources of options, the strongest first: the call, the chats, the call's defaults, the endpoint's file. */
export const readLayers = async (
  call: AskOptions,
  chats: readonly ChatOptions[],
  context: AskContext,
): Promise<Layer[]> => {
  const strong = [
    toLayer(call, 'the call', true, true),
    ...chats.map(({ options, source }) => toLayer(options, source, false)),
  ];
  const layers = call.defaults
    ? [...strong, fitting(toLayer(call.defaults, "the call's defaults", true, true), strong, call.defaults.endpoint)]
    : strong;
  const named = pick(layers, 'endpoint');
  const name = layers.some(({ own }) => own.endpoint !== undefined)
    ? named?.value
    : context.environment['COLOPHON_ENDPOINT'];
  if (off(name)) return layers;
  const endpoint = await readEndpoint(String(name), context);
  return [...layers, fitting(toEndpointLayer(endpoint), layers, name)];
};

const resolveFormat = async (given: unknown): Promise<Pick<ResolvedOptions, 'format' | 'formatInput'>> => {
  if (given === undefined || off(given)) return {};
  const format = await toJsonSchema(given as FormatInput);
  await assertSchema(format);
  return { format, formatInput: given as FormatInput };
};

const resolveModel = (layers: readonly Layer[], backend: Backend, environment: AskContext['environment']): string => {
  const names = environmentNames(backend).model;
  const named = pick(layers, 'model')?.value || fromEnvironment(names, environment)?.value || backend.defaultModel;
  if (named) return String(named);
  // A backend without a wire format may have no models to choose from.
  if ('reply' in backend) return backend.name;
  throw noModel(backend.name, names);
};

/**
 * Weighs all sources: the call, the chat, the endpoint's file, the environment, the defaults. Loads the backend, checks its
 * parameters, finds key and address. Throws the errors of a person's bad input; nothing is sent before.
 */
export const resolveOptions = async (
  layers: readonly Layer[],
  context: AskContext,
  signal?: AbortSignal,
): Promise<ResolvedOptions> => {
  const named = pick(layers, 'backend');
  const fallback = context.environment['COLOPHON_BACKEND'];
  const given = off(named?.value) ? fallback || 'responses' : (named?.value as string | Backend);
  const source = off(named?.value) ? { source: 'COLOPHON_BACKEND', trusted: true } : named!;
  const table = pick(layers, 'backends')?.value as AskOptions['backends'];
  const backend = await loadBackend(given, context, source, table ?? backends);
  const parameters = mergeParameters(layers);
  checkParameters(parameters, backend);
  const { credentials, keySource, warnings } = await resolveCredentials(layers, backend, context, signal);
  const own = Object.assign({}, ...layers.map((layer) => layer.own).toReversed());
  return {
    backend,
    model: resolveModel(layers, backend, context.environment),
    credentials,
    ...(keySource === undefined ? {} : { keySource }),
    parameters,
    thresholds: Object.assign({}, ...layers.map(({ thresholds }) => thresholds).toReversed()),
    ...(await resolveFormat(pick(layers, 'format')?.value)),
    persist: !off(pick(layers, 'persist')?.value ?? false),
    own: Object.fromEntries(
      Object.entries(own).filter(([name, value]) => value !== null && !reaching.includes(name as HarnessOption)),
    ),
    warnings,
  };
};
