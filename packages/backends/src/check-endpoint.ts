import { shownAddress } from './address.js';
import type { Credentials } from './backend.js';
import type { AskContext } from './context.js';
import { redact, secretsOf } from './redact.js';
import { readLayers, resolveOptions } from './resolve-options.js';

/** Whether an endpoint answers. `detail` is one line for a person. */
export type EndpointCheck = {
  answers: boolean;
  /** HTTP status, where an answer came. */
  status?: number;
  /** The key was accepted, as far as the status tells; absent where nothing was asked with one. */
  keyAccepted?: boolean;
  url?: string;
  detail: string;
};

type Probe = { url: string; headers: Record<string, string> };

/** `path` behind an address, before its query. */
const at = (url: string, path: string): string => {
  const [, base = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url.includes('://') ? url : `http://${url}`) ?? [];
  return `${base.replace(/\/+$/, '')}${path}${query}`;
};

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

const modelsAt =
  (address: string) =>
  ({ url = address, key }: Credentials): Probe => ({ url: at(url, '/models'), headers: bearer(key) });

// The cheapest request of each provider: the list of models.
const probes: Record<string, (credentials: Credentials) => Probe> = {
  openai: modelsAt('https://api.openai.com/v1'),
  responses: modelsAt('https://api.openai.com/v1'),
  vllm: modelsAt('http://127.0.0.1:8000/v1'),
  openwebui: modelsAt('http://127.0.0.1:8080/api'),
  glm: modelsAt('https://api.z.ai/api/paas/v4'),
  huggingface: modelsAt('https://router.huggingface.co/v1'),
  relay: ({ url = 'http://127.0.0.1:7979', key }) => ({ url: at(url, '/'), headers: bearer(key) }),
  anthropic: ({ url, key }) => ({
    url: at(url ?? 'https://api.anthropic.com', '/v1/models'),
    headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
  }),
  ollama: ({ url, key }) => ({
    url: at(url ?? 'http://127.0.0.1:11434', '/api/tags'),
    headers: bearer(key),
  }),
};

const probeOf = (backend: string, credentials: Credentials): Probe | undefined => {
  const known = Object.hasOwn(probes, backend) ? probes[backend]!(credentials) : undefined;
  if (known) return known;
  return credentials.url === undefined ? undefined : { url: at(credentials.url, ''), headers: {} };
};

const told = (status: number, hasKey: boolean): Pick<EndpointCheck, 'detail' | 'keyAccepted'> => {
  if (status === 401 || status === 403) {
    return {
      detail: hasKey ? `answers, but refuses the key (${status})` : `answers, but wants a key (${status})`,
      ...(hasKey ? { keyAccepted: false } : {}),
    };
  }
  return { detail: `answers (${status})`, ...(hasKey && status < 300 ? { keyAccepted: true } : {}) };
};

/**
 * Asks an endpoint, by name, whether it answers: the list of models where its backend has one, else anything at its address. Gives up
 * after `timeout` milliseconds (default 5,000). Never throws for what the network does, and shows no key.
 */
export const checkEndpoint = async (
  name: string,
  context: AskContext,
  { timeout = 5_000, signal }: { timeout?: number; signal?: AbortSignal } = {},
): Promise<EndpointCheck> => {
  const layers = await readLayers({ endpoint: name }, [], context);
  // Whoever only looks runs no code that a copied file names.
  const { backend, credentials } = await resolveOptions(layers, { ...context, policy: 'read' }, signal);
  const probe = probeOf(backend.name, credentials);
  if (!probe) return { answers: 'reply' in backend, detail: 'it has no address: nothing to ask' };
  const late = AbortSignal.timeout(timeout);
  const url = shownAddress(probe.url);
  try {
    const response = await fetch(probe.url, {
      headers: { ...probe.headers, ...credentials.headers },
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    await response.body?.cancel();
    return { answers: true, status: response.status, url, ...told(response.status, credentials.key !== undefined) };
  } catch (error) {
    const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
    const why = late.aborted
      ? `no answer within ${timeout / 1000} s`
      : (cause?.code ?? cause?.message ?? message ?? String(error));
    return { answers: false, url, detail: `does not answer: ${redact(why, secretsOf(credentials))}` };
  }
};
