import type { AskEvent } from './answer.js';
import { ask } from './ask.js';
import type { AskInput, AskOptions } from './ask-options.js';

/** Events that wait to be taken, and who waits for one. */
const createQueue = () => {
  const events: AskEvent[] = [];
  let wake = () => {};
  return {
    push: (event: AskEvent) => {
      events.push(event);
      wake();
    },
    wake: () => wake(),
    take: (): AskEvent[] => events.splice(0),
    wait: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
};

/**
 * The same as `ask`, as an async iterable of events: `round-start`, `text-delta`, `reasoning-delta`, `meta`, `tool-call`,
 * `tool-result`, at last `end` with the answer. Whoever leaves the iteration early aborts the run; the chat stays valid, and the file
 * is free when the loop is left. Errors are thrown where the next event is waited for.
 */
export async function* askStream(input: AskInput, options: AskOptions = {}): AsyncGenerator<AskEvent, void, void> {
  const queue = createQueue();
  const leave = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, leave.signal]) : leave.signal;
  const onEvent = (event: AskEvent) => {
    queue.push(event);
    options.onEvent?.(event);
  };
  let ended = false;
  const run = ask(input, { ...options, signal, onEvent }).finally(() => {
    ended = true;
    queue.wake();
  });
  // It is awaited below; until then a failure must not count as unhandled.
  run.catch(() => {});
  try {
    while (!ended) {
      const waiting = queue.wait();
      yield* queue.take();
      if (!ended) await waiting;
    }
    yield* queue.take();
    await run;
  } finally {
    leave.abort(new Error('the stream was left'));
    await run.catch(() => {});
  }
}
