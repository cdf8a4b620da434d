import type { Tokens } from '@colophon/chat-format';
import type { Evidence, TokenEvent } from './token-event.js';

/** Dollars, or any other money, per million tokens. An absent cache price is the price of ordinary input. */
export type Prices = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

/** What an inference is priced by. */
export type PricedInference = { tokens: Tokens; model: string; event: TokenEvent };

/** Prices by model, or a function that says what an inference cost; undefined where it does not know. */
export type PriceList =
  | Readonly<Record<string, Prices>>
  | ((inference: PricedInference) => number | undefined | Promise<number | undefined>);

/** Why some inferences have no price: their model has none, or they don't tell it or their tokens. Sorted by model. */
export type Unpriced = { model: string | null; events: number };

/**
 * What a session cost. `paid`: each inference once, unless all that is persisted of it here are answers from a cache, so that
 * another session paid for it. `cached`: what those answers from a cache would have cost. `unknown`: inferences that neither
 * sum holds.
 */
export type Cost = { paid: number; cached: number; events: number; cachedAnswers: number; unknown: Unpriced[] };

const priceOf = (
  { pt, ct, cct = 0, cwt = 0 }: Tokens,
  { input, output, cacheRead = input, cacheWrite = input }: Prices,
) =>
  pt === undefined || ct === undefined || cct + cwt > pt
    ? undefined
    : ((pt - cct - cwt) * input + cct * cacheRead + cwt * cacheWrite + ct * output) / 1e6;

const isCached = ({ meta }: Evidence): boolean => String(meta['cached']) === 'true';

/** How often an inference was answered from a cache: copies of one such answer share their time. */
const cachedAnswers = ({ evidence }: TokenEvent): number =>
  new Set(evidence.filter(isCached).map(({ meta }) => String(meta['timestamp'] ?? ''))).size;

/**
 * Money for events. Reasoning is part of the completion. An inference without a known price, prompt or completion count is
 * counted as unknown, never as free.
 */
export const cost = async (events: readonly TokenEvent[], prices: PriceList): Promise<Cost> => {
  const result: Cost = { paid: 0, cached: 0, events: 0, cachedAnswers: 0, unknown: [] };
  const unknown = new Map<string | null, number>();
  for (const event of events) {
    const { model, tokens } = event;
    const list =
      typeof prices === 'function' || model === null || !Object.hasOwn(prices, model) ? undefined : prices[model];
    const price =
      model === null
        ? undefined
        : typeof prices === 'function'
          ? await prices({ tokens, model, event })
          : list && priceOf(tokens, list);
    if (price === undefined) {
      unknown.set(model, (unknown.get(model) ?? 0) + 1);
      continue;
    }
    const answers = cachedAnswers(event);
    if (!event.evidence.every(isCached)) {
      result.paid += price;
      result.events += 1;
    }
    result.cached += answers * price;
    result.cachedAnswers += answers;
  }
  result.unknown = [...unknown]
    .map(([model, count]) => ({ model, events: count }))
    .sort((a, b) => (String(a.model) < String(b.model) ? -1 : 1));
  return result;
};
