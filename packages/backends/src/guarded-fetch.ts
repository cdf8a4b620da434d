const timeoutError = (seconds: number): Error =>
  Object.assign(new Error(`nothing arrived for ${seconds} s`), { name: 'TimeoutError', code: 'timeout' });

/** The same bytes; fails where none come for `idle` milliseconds. */
const watch = (body: ReadableStream<Uint8Array>, idle: number, stop: () => void): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(timeoutError(idle / 1000)), idle);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), late]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        stop();
        controller.error(error);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

/** Seconds that a server asks to wait before the same request comes again; undefined where it asks for nothing. */
export const askedWait = (headers: Headers): number | undefined => {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds / 1000;
  const text = headers.get('retry-after') ?? '';
  const seconds = Number.parseFloat(text);
  if (seconds >= 0) return seconds;
  // A moment, by the server's own clock.
  const span = (Date.parse(text) - Date.parse(headers.get('date') ?? '')) / 1000;
  return Number.isNaN(span) ? undefined : Math.max(0, span);
};

/** The longest wait, in seconds, that is waited: who asks for more has its answer told at once, with the wait. */
export const longestWait = 60;

/** The SDKs wait for as long as they are asked to, unless this header forbids to try again. */
const toldHeaders = ({ headers }: Response): Headers => {
  const told = new Headers([...headers]);
  if ((askedWait(told) ?? 0) > longestWait) told.set('x-should-retry', 'false');
  return told;
};

/** Node's own fetch gives an answer five minutes to begin, whatever its caller says; a model may think for longer. */
const patientFetch = async (timeout: number): Promise<typeof fetch> => {
  const { Agent, fetch: send } = await import('undici');
  const dispatcher = new Agent({ headersTimeout: timeout, bodyTimeout: 0 });
  return ((input: string, init: object) => send(input, { ...init, dispatcher })) as unknown as typeof fetch;
};

/**
 * A `fetch` for SDKs: an answer may take `timeout` milliseconds to begin, and each pause in it as long; then the connection is
 * given up with a `TimeoutError`. (The SDKs' own time limit ends with the head of the answer.)
 */
export const guardedFetch = (timeout: number): typeof fetch => {
  let patient: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    patient ??= patientFetch(timeout);
    const giveUp = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, giveUp.signal]) : giveUp.signal;
    const response = await (await patient)(input, { ...init, signal });
    const { status, statusText, body } = response;
    const watched = new Response(body && watch(body, timeout, () => giveUp.abort()), {
      status,
      statusText,
      headers: toldHeaders(response),
    });
    Object.defineProperty(watched, 'url', { value: response.url });
    return watched;
  };
};
