/**
 * Runs one call with a signal of its own that follows the caller's. An abort ends the wait at once, also where the callee
 * sleeps before a retry; afterwards nothing hangs on the caller's signal, however many calls it served.
 */
export const abortable = async <T>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted();
  const own = new AbortController();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      own.abort(signal?.reason);
      reject(signal?.reason);
    };
  });
  // Without a handler of its own a late rejection would count as unhandled.
  stopped.catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const result = await Promise.race([run(own.signal), stopped]);
    signal?.throwIfAborted();
    return result;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
};
