import { ColophonError } from '@colophon/chat-format';
import type { Backend, Credentials, WireBackend } from '../backend.js';
import { backends } from '../backends.js';
import type { AskContext } from '../context.js';
import { providerError } from '../provider-error.js';
import { redact, secretsOf } from '../redact.js';
import { readLayers, resolveOptions } from '../resolve-options.js';
import { isRecord } from '../shape.js';

/** What may be relayed, with whose endpoint. */
export type RelayTerms = { context: AskContext; allow?: readonly string[]; endpoint?: string };

// What answers without a provider, loads code that the request names, or would ask in a circle.
const never = ['relay', 'replay', 'ai-sdk'];

/** A failure as it goes back: text, status and code, nothing secret. */
export const failureLine = (error: unknown, secrets: readonly string[]) => {
  const facts = error instanceof ColophonError ? error.facts : {};
  const { providerCode, retryable, retryAfter, status: answered } = facts as Record<string, unknown>;
  const code = providerCode ?? (error instanceof ColophonError ? error.code : undefined);
  // The relay is the gateway of a provider that gave no answer.
  const status = answered ?? (code === 'timeout' ? 504 : retryable === true ? 502 : undefined);
  return {
    error: {
      message: redact(error instanceof Error ? error.message : 'the relay failed', secrets),
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  };
};

const isWire = (backend: Backend): backend is WireBackend => 'toRequest' in backend;

// Keys and address are this machine's: the request has no say in them.
const reach = async (
  name: string,
  { context, endpoint }: RelayTerms,
): Promise<{ backend: WireBackend; credentials: Credentials }> => {
  const machine: AskContext = { ...context, policy: 'read' };
  const call = { backend: name, model: 'relayed', ...(endpoint === undefined ? {} : { endpoint }) };
  const { backend, credentials } = await resolveOptions(await readLayers(call, [], machine), machine);
  if (!isWire(backend)) throw new ColophonError('bad_input', `Backend ${name} has no wire format.`, {});
  return { backend, credentials };
};

const readName = (body: unknown, allow: readonly string[]): string => {
  const name = isRecord(body) ? body['backend'] : undefined;
  if (typeof name === 'string' && isRecord(body) && isRecord(body['request']) && allow.includes(name)) return name;
  throw new ColophonError(
    'bad_input',
    `A relayed request is {backend, request, stream} with one of the backends ${allow.join(', ')}.`,
    { status: 400 },
  );
};

/** Answers one relayed request by lines; never throws. Resolves to what can be told of it: backend and outcome. */
export const answerRelayed = async (
  body: unknown,
  terms: RelayTerms,
  signal: AbortSignal,
  write: (line: object) => void,
): Promise<string> => {
  const allow = (terms.allow ?? Object.keys(backends)).filter(
    (name) => Object.hasOwn(backends, name) && !never.includes(name),
  );
  let name = 'refused';
  let secrets: readonly string[] = [];
  try {
    name = readName(body, allow);
    const { backend, credentials } = await reach(name, terms);
    secrets = secretsOf(credentials);
    const client = await backend.client?.(credentials);
    const { request, stream } = body as { request: unknown; stream?: unknown };
    const listening = stream === true ? { onDelta: (delta: object) => write({ delta }) } : {};
    const raw: unknown = await backend.send(request, client, { signal, ...listening });
    write({ raw: raw ?? null });
    return `${name} answered`;
  } catch (cause) {
    const late = (signal.reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
    const error = providerError(late ? signal.reason : cause, { backend: name, secrets, ...(late ? {} : { signal }) });
    write(failureLine(error, secrets));
    return `${name} failed (${error.facts['status'] ?? error.facts['providerCode'] ?? error.code})`;
  }
};
