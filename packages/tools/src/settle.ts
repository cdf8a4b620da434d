import type { Progress, Tool } from './tool.js';

/** Milliseconds that a call may take, unless its tool or the context says otherwise: ten minutes. */
export const defaultTimeLimit = 600_000;

// setTimeout fires at once above this.
const longestTimer = 2 ** 31 - 1;

/** What bounds a running call and what it is given. */
export type Limits = {
  timeLimit?: number | undefined;
  toolContext?: Record<string, unknown> | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Calls back when the round is stopped, at once when it is already; returns how to take that off. */
  onStop: (stop: (reason: unknown) => void) => () => void;
};

/** How a call ended. */
export type Ending =
  | { kind: 'returned'; value: unknown }
  | { kind: 'threw'; error: unknown }
  | { kind: 'timeout'; limit: number }
  | { kind: 'aborted'; reason: unknown };

const limitOf = (tool: Tool, timeLimit: number | undefined): number =>
  [tool.timeout, timeLimit].find((limit) => limit !== undefined && limit > 0) ?? defaultTimeLimit;

/**
 * Runs a tool to the first ending: it returns, it throws, its time is up, or the round is stopped. A tool that goes on after
 * that is not waited for, and its fate is ignored.
 */
export const settle = (tool: Tool, values: Record<string, unknown>, callId: string, round: Limits): Promise<Ending> =>
  new Promise((resolve) => {
    const controller = new AbortController();
    const limit = limitOf(tool, round.timeLimit);
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unsubscribe = () => {};
    const end = (ending: Ending) => {
      over = true;
      clearTimeout(timer);
      unsubscribe();
      resolve(ending);
    };
    unsubscribe = round.onStop((reason) => {
      end({ kind: 'aborted', reason });
      controller.abort(reason);
    });
    if (over) return;
    if (limit <= longestTimer) {
      timer = setTimeout(() => {
        end({ kind: 'timeout', limit });
        controller.abort(new DOMException(`The call took longer than ${limit} ms.`, 'TimeoutError'));
      }, limit);
    }
    const onProgress = (progress: Progress) => {
      if (!over) round.onProgress?.(progress);
    };
    const run = async () => tool.run(values, { ...round.toolContext, signal: controller.signal, callId, onProgress });
    run().then(
      (value) => end({ kind: 'returned', value }),
      (error) => end({ kind: 'threw', error }),
    );
  });
