import type OpenAI from 'openai';
import { toBaseUrl } from './address.js';
import type { Credentials } from './backend.js';
import { missingKey } from './errors.js';
import { guardedFetch } from './guarded-fetch.js';

/** Milliseconds that a request may take to be answered, and a reply may pause: reasoning models think for minutes. */
export const defaultTimeout = 1_200_000;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * The OpenAI SDK's client from explicit values alone: every default that the SDK would take from the environment is set, and
 * headers that it adds from there are taken off again. `maxRetries` (default 2) with the SDK's back-off, which heeds `retry-after`.
 */
export const openAiClient = async (
  { key, url, headers, timeout = defaultTimeout, ...more }: Credentials,
  backend: string,
  names: readonly string[],
): Promise<OpenAI> => {
  if (key === undefined && url === undefined) throw missingKey(backend, names);
  const { base, query } = toBaseUrl(url ?? 'https://api.openai.com/v1', backend);
  const { default: Client } = await import('openai');
  // A local server may ask for no key; the SDK does, so the header that it would fill is taken out.
  const defaultHeaders = { ...(key === undefined ? { authorization: null } : {}), ...headers };
  const client = new Client({
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: text(more['organization']),
    project: text(more['project']),
    webhookSecret: null,
    baseURL: base,
    defaultQuery: query,
    timeout,
    maxRetries: typeof more['maxRetries'] === 'number' ? more['maxRetries'] : 2,
    logLevel: 'off',
    fetch: guardedFetch(timeout),
    defaultHeaders,
  });
  // OPENAI_CUSTOM_HEADERS has been laid under ours by the constructor.
  (client as unknown as { _options: { defaultHeaders: unknown } })._options.defaultHeaders = defaultHeaders;
  return client;
};
