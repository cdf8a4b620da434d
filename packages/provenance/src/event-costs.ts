import { type Cost, cost, type PriceList } from './cost.js';
import type { TokenEvent } from './token-event.js';

/** What each inference cost by itself, so that any group of them can be summed. */
export type EventCosts = ReadonlyMap<TokenEvent, Cost>;

/** Looks the cost of each event up, once. */
export const eventCosts = async (events: readonly TokenEvent[], prices: PriceList): Promise<EventCosts> => {
  const costs = new Map<TokenEvent, Cost>();
  for (const event of events) costs.set(event, await cost([event], prices));
  return costs;
};

/** Dollars for reading: `$12.30`, `$0.0123`, `$0.000004`. */
const printMoney = (amount: number): string => {
  if (amount >= 1 || amount === 0) return `$${amount.toFixed(2)}`;
  return `$${amount >= 0.001 ? amount.toFixed(4) : amount.toFixed(12).replace(/^(0\.0*\d\d).*$/, '$1')}`;
};

/**
 * What some events cost, for a line of fields: `cost=$0.0123`, with what cached answers would have cost, and `unknown` for inferences
 * without a known price. Nothing where nobody asked for money, or there are no events.
 */
export const printCost = (events: readonly TokenEvent[], costs: EventCosts | undefined): string[] => {
  if (costs === undefined || events.length === 0) return [];
  let [paid, cached, unknown] = [0, 0, 0];
  for (const event of events) {
    const own = costs.get(event);
    paid += own?.paid ?? 0;
    cached += own?.cached ?? 0;
    unknown += own === undefined || own.unknown.length > 0 ? 1 : 0;
  }
  const known = events.length - unknown;
  return [
    known === 0
      ? 'cost=unknown'
      : `cost=${printMoney(paid)}${unknown > 0 ? `+unknown(${unknown} of ${events.length})` : ''}`,
    ...(cached > 0 ? [`cached=${printMoney(cached)}`] : []),
  ];
};
