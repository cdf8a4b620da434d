import { Readable } from 'node:stream';
import type { BedrockRuntimeClient, BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime';
import { toBaseUrl } from '../address.js';
import type { Credentials } from '../backend.js';
import { badOption, missingKey, missingRegion } from '../errors.js';
import { guardedFetch } from '../guarded-fetch.js';
import { loadSdk } from '../load-sdk.js';
import { defaultTimeout } from '../openai-client.js';

type Sdk = typeof import('@aws-sdk/client-bedrock-runtime');

/** What of the SDK a call needs; it is loaded once, with the client. */
export type BedrockClient = { client: BedrockRuntimeClient; sdk: Sdk };

type HttpRequest = {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: string | Uint8Array;
};

const addressOf = ({ protocol, hostname, port, path, query = {} }: HttpRequest): string => {
  const address = new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) address.searchParams.append(name, one ?? '');
  return address.href;
};

// Set by the connection itself.
const ofConnection = new Set(['host', 'content-length', 'expect']);

/** The SDK's requests over HTTP/1.1 and a guarded `fetch`, in place of a connection of its own: the same limits as everywhere. */
const toHandler = (timeout: number, more: Record<string, string>) => {
  const send = guardedFetch(timeout);
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async (request: HttpRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
      const kept = Object.entries(request.headers).filter(([name]) => !ofConnection.has(name.toLowerCase()));
      const { status, statusText, headers, body } = await send(addressOf(request), {
        method: request.method,
        headers: { ...Object.fromEntries(kept), ...more },
        ...(request.body === undefined ? {} : { body: request.body as string }),
        ...(abortSignal ? { signal: abortSignal } : {}),
      });
      const stream = body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([]);
      return {
        response: { statusCode: status, reason: statusText, headers: Object.fromEntries(headers), body: stream },
      };
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  };
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A key pair, a Bedrock API key, or the provider chain of the SDK: only where the environment names what it should look for. */
const toAuthentication = (
  { key, url, ...more }: Credentials,
  names: readonly string[],
): Partial<BedrockRuntimeClientConfig> => {
  if (key !== undefined) return { token: { token: key }, authSchemePreference: ['httpBearerAuth'] };
  const [accessKeyId, secretAccessKey] = [text(more['accessKeyId']), text(more['secretAccessKey'])];
  const sessionToken = text(more['sessionToken']);
  const signed = { authSchemePreference: ['sigv4'] };
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { ...signed, credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } };
  const profile = text(more['profile']);
  if (profile !== undefined) return { ...signed, profile };
  if (text(more['role']) !== undefined) return signed;
  if (url === undefined) throw missingKey('bedrock', names);
  // A proxy that signs by itself.
  return { ...signed, credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
};

const regionOf = ({ region, url }: Credentials, names: readonly string[]): string => {
  if (region === undefined) {
    if (url === undefined) throw missingRegion('bedrock', names);
    return 'us-east-1';
  }
  // It becomes a part of the address.
  if (!/^[a-z]{2}[a-z0-9-]{1,30}$/.test(String(region)))
    throw badOption('region', region, 'the name of a region, as in eu-central-1', 'bedrock');
  return String(region);
};

const endpointOf = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** The SDK's client from explicit values; nothing that it would take from its environment or files decides where it goes. */
export const bedrockClient = async (
  credentials: Credentials,
  names: { key: readonly string[]; region: readonly string[] },
): Promise<BedrockClient> => {
  const { url, headers = {}, timeout = defaultTimeout, maxRetries } = credentials;
  const authentication = toAuthentication(credentials, names.key);
  const region = regionOf(credentials, names.region);
  const { base } = toBaseUrl(url ?? endpointOf(region), 'bedrock');
  const sdk = await loadSdk<Sdk>('@aws-sdk/client-bedrock-runtime', 'bedrock');
  const client = new sdk.BedrockRuntimeClient({
    region,
    endpoint: base,
    ...authentication,
    maxAttempts: 1 + (typeof maxRetries === 'number' ? maxRetries : 2),
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestHandler: toHandler(timeout, headers) as never,
  });
  return { client, sdk };
};
