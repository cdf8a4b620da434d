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

/**
 * A `fetch` for SDKs that wait without end once the head of an answer is there: `idle` milliseconds without a byte of its body
 * are a `TimeoutError`, and the connection is given up.
 */
export const guardedFetch =
  (idle: number, send: typeof fetch = fetch): typeof fetch =>
  async (input, init) => {
    const giveUp = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, giveUp.signal]) : giveUp.signal;
    const response = await send(input, { ...init, signal });
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const watched = new Response(
      watch(response.body, idle, () => giveUp.abort()),
      { status, statusText, headers },
    );
    Object.defineProperty(watched, 'url', { value: response.url });
    return watched;
  };
