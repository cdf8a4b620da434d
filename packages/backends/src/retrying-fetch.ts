import { askedWait, longestWait } from './guarded-fetch.js';

const passing = [408, 429, 500, 502, 503, 504];

const pause = (milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Milliseconds until the next try: what the server asks for, else half a second doubled with each try, at most eight. */
const waitOf = (asked: number | undefined, tries: number): number =>
  asked === undefined ? Math.min(500 * 2 ** tries, 8000) : asked * 1000;

/** The text of a failed answer: `{error}` or `{error: {message}}`, or whatever a proxy says. */
const failureOf = async (response: Response): Promise<Error> => {
  const body = await response.text().catch(() => '');
  let said = body;
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (typeof error === 'string') said = error;
    else if (
      typeof error === 'object' &&
      error !== null &&
      typeof (error as { message?: unknown }).message === 'string'
    )
      said = (error as { message: string }).message;
  } catch {
    // not JSON: said as it is
  }
  return Object.assign(new Error(said || response.statusText), { status: response.status, headers: response.headers });
};

/**
 * A `fetch` with the retries that some SDKs have not: lost connections and passing failures, `retries` times, heeding
 * `retry-after`. An answer that is not ok is thrown with its `status` and what the server said.
 */
export const retryingFetch =
  (send: typeof fetch, retries: number): typeof fetch =>
  async (input, init) => {
    for (let tries = 0; ; tries++) {
      let response: Response | undefined;
      try {
        response = await send(input, init);
      } catch (error) {
        if (init?.signal?.aborted || tries >= retries) throw error;
      }
      if (response?.ok) return response;
      const asked = response && askedWait(response.headers);
      const isLast = tries >= retries || (asked ?? 0) > longestWait;
      if (response && (isLast || !passing.includes(response.status))) throw await failureOf(response);
      await response?.body?.cancel();
      await pause(waitOf(asked, tries), init?.signal);
    }
  };
