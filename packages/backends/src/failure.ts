import { ColophonError } from '@colophon/chat-format';

/** What is known of a request that failed. `retryAfter` in seconds. */
export type Failure = { message: string; status?: number; providerCode?: string; retryable: boolean; retryAfter?: number };

type Thrown = Record<string, unknown>;

const asObject = (value: unknown): Thrown => (typeof value === 'object' && value !== null ? (value as Thrown) : {});

// openai: error {code, type}; anthropic: error {error: {type}}; ollama: status_code.
const providerCodeOf = (thrown: Thrown): string | undefined => {
  const body = asObject(thrown['error']);
  const inner = asObject(body['error']);
  const candidates = [thrown['providerCode'], inner['code'], inner['type'], body['code'], thrown['code'], body['type'], thrown['type']];
  return candidates.find((value): value is string => typeof value === 'string' && value !== '' && value !== 'error');
};

const statusOf = (thrown: Thrown): number | undefined =>
  [thrown['status'], thrown['status_code'], thrown['statusCode']].find((value): value is number => typeof value === 'number');

const headerOf = (thrown: Thrown, name: string): string | undefined => {
  const { headers } = thrown;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = asObject(headers)[name];
  return typeof value === 'string' ? value : undefined;
};

const retryAfterOf = (thrown: Thrown): number | undefined => {
  const seconds = Number(headerOf(thrown, 'retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

const passing = new Set([408, 409, 425, 429]);

const networkWords = /connection|network|socket|timed? ?out|fetch failed|terminated|premature|econn|epipe|enotfound|eai_again|hang up|stream/i;

const isRetryable = (thrown: Thrown, status: number | undefined, code: string | undefined, text: string): boolean => {
  if (code === 'insufficient_quota') return false;
  if (status !== undefined) return passing.has(status) || status >= 500;
  return code === 'overloaded_error' || networkWords.test(`${String(thrown['name'])} ${code ?? ''} ${text}`);
};

const messagesOf = (thrown: unknown): string => {
  const parts: string[] = [];
  for (let error = thrown, depth = 0; error !== undefined && error !== null && depth < 5; depth++) {
    const message = typeof error === 'string' ? error : String(asObject(error)['message'] ?? '').trim();
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message);
    error = asObject(error)['cause'];
  }
  return parts.join(': ') || String(thrown);
};

/** Reads what any SDK or `fetch` threw: status, provider's code, whether asking again may help. Never throws. */
export const readFailure = (thrown: unknown): Failure => {
  const error = asObject(thrown);
  const facts: Thrown = thrown instanceof ColophonError ? thrown.facts : {};
  const status = statusOf(error) ?? statusOf(facts);
  const providerCode = providerCodeOf(thrown instanceof ColophonError ? { ...facts, code: undefined } : error);
  const message = messagesOf(thrown);
  const { retryable } = facts;
  const retryAfter = retryAfterOf(error) ?? (typeof facts['retryAfter'] === 'number' ? facts['retryAfter'] : undefined);
  return {
    message,
    retryable: typeof retryable === 'boolean' ? retryable : isRetryable(error, status, providerCode, message),
    ...(status === undefined ? {} : { status }),
    ...(providerCode === undefined ? {} : { providerCode }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
};

/** What to do about a failure, in one sentence. */
export const adviceFor = ({ status, retryable, retryAfter }: Failure, keySource: string | undefined): string => {
  if (status === 401 || status === 403) return `Check the key (${keySource ?? 'none was given'}).`;
  if (status === 404) return 'Check the model and the url.';
  if (retryAfter !== undefined) return `Ask again in ${retryAfter} s.`;
  return retryable ? 'It may work when asked again.' : 'Asking again unchanged will not help.';
};
