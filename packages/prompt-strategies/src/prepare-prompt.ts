import type { Chat } from '@colophon/chat-format';
import { stableBoundaries } from './boundaries.js';
import { strategyResultError, unknownStrategyError } from './errors.js';
import { repairPairs } from './repair-pairs.js';
import { strategies as builtIn, defaultStrategies } from './strategies.js';
import type { PreparedPrompt, Strategy, StrategyContext } from './strategy.js';

/** Which strategies to apply, in order: a name, names apart by commas, a function, or a list of these. */
export type RequestedStrategies = string | Strategy | readonly (string | Strategy)[];

type NamedStrategy = { name: string; run: Strategy };

const resolve = (requested: RequestedStrategies, table: Record<string, Strategy>): NamedStrategy[] => {
  if (typeof requested === 'function') return [{ name: requested.name || 'function', run: requested }];
  if (Array.isArray(requested)) return requested.flatMap((entry: RequestedStrategies) => resolve(entry, table));
  if (typeof requested !== 'string') throw unknownStrategyError(requested, Object.keys(table));
  const names = requested.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const run = Object.hasOwn(table, name) ? table[name] : undefined;
      if (!run) throw unknownStrategyError(name, Object.keys(table));
      return { name, run };
    });
};

/**
 * Reshapes a copy of a chat for one inference. Names resolve in `context.strategies`, else in the built-in table. Whatever
 * the strategies do, the result is one that providers accept: each call is followed by its output, and no id stands twice.
 *
 * @throws ColophonError `unknown_strategy`, `invalid_threshold`, `strategy_result`; `aborted` by a note in the inbox.
 */
export const preparePrompt = async (
  chat: Chat,
  requested: RequestedStrategies = defaultStrategies,
  context: StrategyContext = {},
): Promise<PreparedPrompt> => {
  let prompt = chat;
  for (const { name, run } of resolve(requested, context.strategies ?? builtIn)) {
    const result: unknown = await run(prompt, context);
    if (!Array.isArray(result)) throw strategyResultError(name, result);
    prompt = result;
  }
  prompt = repairPairs(prompt, context);
  return { chat: prompt, boundaries: stableBoundaries(prompt) };
};
