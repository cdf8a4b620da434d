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
  | ({ kind: 'timeout'; limit: number } & Late)
  | ({ kind: 'aborted'; reason: unknown } & Late);

/** What a call that was stopped still returned, within its tool's grace. */
type Late = { late?: unknown };

const limitOf = (tool: Tool, timeLimit: number | undefined): number =>
  [tool.timeout, timeLimit].find((limit) => limit !== undefined && limit > 0) ?? defaultTimeLimit;

// Without grace it is not waited for, not even a moment.
const late = async (running: Promise<unknown> | undefined, grace = 0): Promise<Late> => {
  if (!running || !(grace > 0)) return {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const nothing = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve({}), Math.min(grace, longestTimer));
  });
  const value = running.then(
    (value) => ({ late: value }),
    () => ({}),
  );
  return Promise.race([value, nothing]).finally(() => clearTimeout(timer));
};

/**
 * Runs a tool to the first ending: it returns, it throws, its time is up, or the round is stopped. A tool that goes on after
 * that is waited for as long as its grace, and its fate is ignored after it.
 */
export const settle = (tool: Tool, values: Record<string, unknown>, callId: string, round: Limits): Promise<Ending> =>
  new Promise((resolve) => {
    const controller = new AbortController();
    const limit = limitOf(tool, round.timeLimit);
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: Promise<unknown> | undefined;
    let unsubscribe = () => {};
    const end = (ending: Ending) => {
      over = true;
      clearTimeout(timer);
      unsubscribe();
      resolve(ending);
    };
    const stop = async (ending: Extract<Ending, Late>, reason: unknown) => {
      if (over) return;
      over = true;
      controller.abort(reason);
      end({ ...ending, ...(await late(running, tool.grace)) });
    };
    unsubscribe = round.onStop((reason) => void stop({ kind: 'aborted', reason }, reason));
    if (over) return;
    if (limit <= longestTimer) {
      const why = () => new DOMException(`The call took longer than ${limit} ms.`, 'TimeoutError');
      timer = setTimeout(() => void stop({ kind: 'timeout', limit }, why()), limit);
    }
    const onProgress = (progress: Progress) => {
      if (!over) round.onProgress?.(progress);
    };
    const run = async () => tool.run(values, { ...round.toolContext, signal: controller.signal, callId, onProgress });
    running = run();
    running.then(
      (value) => {
        if (!over) end({ kind: 'returned', value });
      },
      (error) => {
        if (!over) end({ kind: 'threw', error });
      },
    );
  });
