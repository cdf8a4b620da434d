import { ColophonError } from '@colophon/chat-format';
import { requestFailed } from './errors.js';
import { redact, redactCause } from './redact.js';
import { isRecord } from './shape.js';

/** What is told of a failed request beside its text. */
export type ProviderFailure = {
  backend: string;
  /** HTTP status; absent where no answer came. */
  status?: number;
  /** The provider's own code, or `connection`, `timeout`, `cut` (the reply broke off), `malformed` (no JSON), `empty` (no reply in it). */
  providerCode?: string;
  /** The same request may succeed later. */
  retryable: boolean;
  /** Seconds that the provider asks to wait. */
  retryAfter?: number;
  /** The provider's id of the request, for its support. */
  requestId?: string;
};

/** A failure that a backend finds by itself in a reply; `providerError` reads it like an SDK's. */
export const replyFailure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** The reply broke off before its end mark. */
export const cutReply = (): Error =>
  replyFailure('cut', 'the reply broke off before its end; what had arrived is not kept');

/** The answer has not the shape of a reply. */
export const emptyReply = (): Error => replyFailure('empty', 'the answer holds no reply');

const advice: Record<number, string> = {
  401: ' Check the key of this endpoint.',
  403: ' The key may not do this.',
  404: ' Check the model and the address of the endpoint.',
  413: ' Send less: a shorter chat, fewer or smaller attachments.',
};

const passingStatus = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

/** Codes that say "never" although their status says "later". */
const finalCodes = ['insufficient_quota', 'billing_hard_limit_reached', 'billing_error'];

/** Codes without a status that say "later". */
const passingCodes = [
  'cut',
  'empty',
  'server_error',
  'rate_limit_exceeded',
  'overloaded_error',
  'api_error',
  'rate_limit_error',
  'timeout_error',
];

type Failing = Record<string, unknown> & { headers?: unknown };

const textAt = (value: unknown, ...path: string[]): string | undefined => {
  let current = value;
  for (const name of path) current = isRecord(current) ? current[name] : undefined;
  return typeof current === 'string' && current !== '' ? current : undefined;
};

const headerOf = (failing: Failing, name: string): string | undefined => {
  const headers = failing.headers;
  if (!isRecord(headers)) return undefined;
  const found = typeof headers['get'] === 'function' ? (headers as unknown as Headers).get(name) : headers[name];
  return typeof found === 'string' ? found : undefined;
};

/** The code of a socket, of undici or of the resolver, however deep it is wrapped. */
const networkCode = (error: unknown): string | undefined => {
  let current = error;
  for (let depth = 0; depth < 6 && isRecord(current); depth++) {
    const code = current['code'];
    if (typeof code === 'string' && /^(?:E[A-Z]{3,}|UND_ERR_\w+|CERT_\w+|DEPTH_\w+|SELF_\w+|UNABLE_\w+)$/.test(code))
      return code;
    current = current['cause'];
  }
  return undefined;
};

const deepest = (error: unknown): string => {
  let current = error;
  for (let depth = 0; depth < 6 && isRecord(current) && current['cause'] instanceof Error; depth++)
    current = current['cause'];
  return textAt(current, 'message') ?? String(error);
};

const maskedKey = /\b(?:sk|pk|rk)-[A-Za-z0-9*_.-]{8,}/g;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Code of the failure as the provider says it: Anthropic's `error.error.type`, OpenAI's `code` or `type`, our own `code`. */
const codeOf = (failing: Failing): string | undefined =>
  textAt(failing, 'errorCode') ??
  textAt(failing, 'error', 'error', 'type') ??
  textAt(failing, 'code') ??
  textAt(failing, 'error', 'code') ??
  textAt(failing, 'type') ??
  textAt(failing, 'error', 'type');

const saidBy = (failing: Failing): string | undefined =>
  textAt(failing, 'apiMessage') ??
  textAt(failing, 'error', 'error', 'message') ??
  textAt(failing, 'error', 'message') ??
  textAt(failing, 'error');

const answered = (
  status: number,
  failing: Failing,
  text: string,
  backend: string,
): { message: string; facts: ProviderFailure } => {
  const code = codeOf(failing);
  const asked = headerOf(failing, 'retry-after');
  const wait = asked === undefined ? Number.NaN : Number(asked);
  const requestId = textAt(failing, 'requestID') ?? headerOf(failing, 'x-request-id');
  const facts: ProviderFailure = {
    backend,
    status,
    retryable: passingStatus(status) && !finalCodes.includes(code ?? ''),
  };
  if (code !== undefined) facts.providerCode = code;
  if (wait >= 0) facts.retryAfter = wait;
  if (requestId !== undefined) facts.requestId = requestId;
  const after = wait > 0 ? ` It asks to wait ${wait} s.` : '';
  return {
    message: `${backend} answered ${status}${code ? ` (${code})` : ''}: ${sentence(text)}${after}${advice[status] ?? ''}`,
    facts,
  };
};

const unanswered = (
  error: unknown,
  failing: Failing,
  text: string,
  backend: string,
): { message: string; facts: ProviderFailure } => {
  const name = error instanceof Error ? error.constructor.name : '';
  const network = networkCode(error);
  const timedOut =
    name === 'APIConnectionTimeoutError' ||
    failing['name'] === 'TimeoutError' ||
    /TIMEOUT|ETIMEDOUT/.test(network ?? '');
  if (timedOut)
    return {
      message: `${backend} gave no answer in time: ${sentence(text)}`,
      facts: { backend, providerCode: 'timeout', retryable: true },
    };
  if (error instanceof SyntaxError) {
    const message = `${backend} sent something that is no JSON: ${sentence(text)} Check the address of the endpoint, or try again.`;
    return { message, facts: { backend, providerCode: 'malformed', retryable: true } };
  }
  const fetchFailed = error instanceof TypeError && /fetch failed|terminated/.test(error.message);
  if (name === 'APIConnectionError' || network !== undefined || fetchFailed) {
    // Before an answer the address may be wrong; in the middle of one only the line is.
    const lost = network === 'UND_ERR_SOCKET' || network === 'ECONNRESET' || network === 'EPIPE';
    const failed = lost ? `${backend} closed the connection` : `${backend} can't be reached`;
    const next = lost ? 'Try again.' : 'Check the address of the endpoint and the network.';
    const message = `${failed}${network ? ` (${network})` : ''}: ${sentence(text)} ${next}`;
    return { message, facts: { backend, providerCode: 'connection', retryable: true } };
  }
  const code = codeOf(failing);
  const facts: ProviderFailure = {
    backend,
    retryable: passingCodes.includes(code ?? ''),
    ...(code === undefined ? {} : { providerCode: code }),
  };
  return { message: `${backend} failed${code ? ` (${code})` : ''}: ${sentence(text)}`, facts };
};

/**
 * Any failure of an SDK, of the network or of a reply as one error of code `request_failed` whose facts are a
 * `ProviderFailure`; `aborted` where the signal is. Errors of the project pass as they are. What is secret stands neither in
 * the message nor in the cause.
 */
export const providerError = (
  error: unknown,
  { backend, secrets = [], signal }: { backend: string; secrets?: readonly string[]; signal?: AbortSignal | undefined },
): ColophonError => {
  if (error instanceof ColophonError) return error;
  const cause = redactCause(error, secrets);
  if (signal?.aborted)
    return new ColophonError('aborted', `The request to ${backend} was aborted.`, { backend, retryable: false, cause });
  const failing: Failing = isRecord(error) ? error : {};
  const status = [failing['status'], failing['status_code']].find((value) => typeof value === 'number');
  const text = redact(saidBy(failing) ?? deepest(error), secrets)
    .replace(maskedKey, '[hidden]')
    .slice(0, 1000);
  const { message, facts } =
    typeof status === 'number' ? answered(status, failing, text, backend) : unanswered(error, failing, text, backend);
  return requestFailed(message, { ...facts, cause });
};
