import type { Backend, StopReason, WireBackend } from '../backend.js';
import { contentRules } from './cases/contents.js';
import { failureRules } from './cases/failures.js';
import { messageRules } from './cases/messages.js';
import { stopRules, streamRules } from './cases/streams.js';
import { toolRules } from './cases/tools.js';
import { exchange, type StartStage, startServer } from './stage.js';
import { type WireName, wires } from './wires/index.js';

/** One case of the suite; `run` rejects where the backend does not hold it. */
export type ConformanceCase = { name: string; run: () => Promise<void> };

/** How a backend is put to the test: `wire` where it speaks one of the four formats, else `start`. */
export type ConformanceOptions = {
  wire?: WireName;
  start?: StartStage;
  /** Reasons of stopping that its replies can tell; those of the wire by default. */
  stopReasons?: readonly StopReason[];
};

/** The cases that apply to a backend by its capabilities. */
export const conformanceCases = (
  backend: Backend,
  { wire, start, stopReasons }: ConformanceOptions,
): ConformanceCase[] => {
  const begin = start ?? (wire && startServer(backend as WireBackend, wire));
  if (!begin)
    throw new TypeError(`runConformance(${backend.name}): give \`wire\`, the format that it speaks, or \`start\``);
  const reasons = stopReasons ?? (wire ? wires[wire].stopReasons : ['stop']);
  const all = [...messageRules, ...toolRules, ...contentRules, ...streamRules, ...stopRules(reasons), ...failureRules];
  return all
    .filter((rule) => rule.needs?.(backend) ?? true)
    .map(({ name, replies = [], timeout = 20_000, check }) => ({
      name,
      run: async () => {
        const stage = await begin(replies, { timeout });
        try {
          await check(stage, (chat, settings) => exchange(backend, stage, chat, settings));
        } finally {
          await stage.stop();
        }
      },
    }));
};

/**
 * Runs the suite that every backend has to pass: `test` is called once a case, as `test(name, run)` of any framework. Each case
 * puts a script behind the backend (the local server where `wire` is given) and asks through its own client.
 */
export const runConformance = (
  backend: Backend,
  { test, ...options }: ConformanceOptions & { test: (name: string, run: () => Promise<void>) => unknown },
): void => {
  for (const { name, run } of conformanceCases(backend, options)) test(name, run);
};
