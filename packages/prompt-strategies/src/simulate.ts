import type { Chat, Message, Meta } from '@colophon/chat-format';
import { tokenCounter } from './count-tokens.js';
import { preparePrompt, type RequestedStrategies } from './prepare-prompt.js';
import { type CacheRules, cacheRules } from './provider-cache-rules.js';
import type { StrategyContext } from './strategy.js';
import { type Turn, takeTurns } from './take-turns.js';
import { type WeighedChat, weighMessages } from './weigh-messages.js';

/** What to compare, and by whose rules. Each entry of `strategies` is one candidate: a name, or several apart by commas. */
export type SimulateOptions = Pick<StrategyContext, 'options' | 'setting'> & {
  strategies?: readonly RequestedStrategies[];
  /** The table that names resolve in; the built-in one where it is missing. */
  table?: NonNullable<StrategyContext['strategies']>;
  /** A name of `providerCacheRules`, or rules; `anthropic` where it is missing. */
  provider?: string | CacheRules;
  /** The model, where rules differ by it; the last one that the chat names where it is missing. */
  model?: string;
};

/**
 * What a strategy would have cost. All in tokens, summed over the turns; `cost` in tokens at the plain input price,
 * `relative` to that of the whole chat. `served` came from the cache, `written` went into it; `expired` counts the turns at
 * which the cache had run out.
 */
export type StrategyCost = {
  strategy: string;
  sent: number;
  served: number;
  written: number;
  cost: number;
  relative: number;
  expired: number;
};

/** A replay. `exact` and `estimated` tell how many tokens of the stored chat its records tell, and how many are estimated. */
export type Simulation = {
  turns: number;
  rules: CacheRules;
  model?: string;
  exact: number;
  estimated: number;
  strategies: StrategyCost[];
};

const defaultCandidates = ['none', 'shorten_tools', 'shorten_tools_epoch', 'shorten_tools_epoch_increment'];

const labelOf = (requested: RequestedStrategies): string =>
  typeof requested === 'function'
    ? requested.name || 'function'
    : typeof requested === 'string'
      ? requested
      : requested.map(labelOf).join(',');

/** When an inference was recorded, in seconds; a number is seconds or, where it is that large, milliseconds. */
const secondsOf = (meta: Meta | undefined): number | undefined => {
  const stamp = meta?.['timestamp'];
  const seconds = typeof stamp === 'number' ? (stamp > 1e11 ? stamp / 1000 : stamp) : Date.parse(String(stamp)) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
};

const isSame = (a: Message, b: Message | undefined): boolean =>
  a === b || (a.role === b?.role && a.content === b.content);

/** What the cache serves of a prefix that it has seen. */
const servedTokens = (prefix: number, { minimum, block }: CacheRules): number =>
  prefix < minimum ? 0 : Math.floor(prefix / block) * block;

type Replay = { stored: Chat; turns: Turn[]; weighed: WeighedChat; rules: CacheRules; context: StrategyContext };

/** Sends each turn's prompt to a cache that holds the prompt of the turn before. Linear in the sum of the prompts. */
const replay = async (requested: RequestedStrategies, { stored, turns, weighed, rules, context }: Replay) => {
  const total = { sent: 0, served: 0, written: 0, cost: 0, expired: 0 };
  let cached: Chat = [];
  let cachedAt: number | undefined;
  for (const { end, meta } of turns) {
    const { chat: prompt } = await preparePrompt(stored.slice(0, end), requested, context);
    const at = secondsOf(meta);
    const isExpired = at !== undefined && cachedAt !== undefined && at - cachedAt > rules.lifetime;
    let sent = weighed.overhead;
    let prefix = isExpired || cached.length === 0 ? 0 : weighed.overhead;
    let isPrefix = !isExpired;
    for (const [index, message] of prompt.entries()) {
      const tokens = weighed.tokensOf(message);
      sent += tokens;
      isPrefix &&= isSame(message, cached[index]);
      if (isPrefix) prefix += tokens;
    }
    const served = servedTokens(prefix, rules);
    const written = sent < rules.minimum ? 0 : sent - served;
    total.sent += sent;
    total.served += served;
    total.written += written;
    total.cost += sent - served - written + written * rules.write + served * rules.read;
    if (isExpired) total.expired++;
    cached = prompt;
    cachedAt = at ?? cachedAt;
  }
  return total;
};

/**
 * Replays a stored chat turn by turn under several strategies, and tells for each what would have been sent, what a prefix
 * cache would have served, and what that costs beside sending the whole chat. No inbox is read.
 *
 * @throws ColophonError `unknown_provider`, `unknown_strategy`, `invalid_threshold`.
 */
export const simulate = async (stored: Chat, options: SimulateOptions = {}): Promise<Simulation> => {
  const { strategies = defaultCandidates, provider = 'anthropic', table, options: thresholds, setting } = options;
  const { chat, turns } = takeTurns(stored);
  const named = turns.findLast(({ meta }) => typeof meta?.['model'] === 'string')?.meta?.['model'];
  const model = options.model ?? (named === undefined ? undefined : String(named));
  const rules = typeof provider === 'string' ? cacheRules(provider, model) : provider;
  const weighed = weighMessages(chat, turns, await tokenCounter());
  const context: StrategyContext = {
    readings: new Map(),
    ...(thresholds && { options: thresholds }),
    ...(setting && { setting }),
    ...(table && { strategies: table }),
  };
  const run = (requested: RequestedStrategies) => replay(requested, { stored: chat, turns, weighed, rules, context });
  const whole = await run([]);
  const costs: StrategyCost[] = [];
  for (const requested of strategies) {
    const label = labelOf(requested);
    const { sent, served, written, cost, expired } = requested === 'none' && !table ? whole : await run(requested);
    const rounded = {
      sent: Math.round(sent),
      served: Math.round(served),
      written: Math.round(written),
      cost: Math.round(cost),
    };
    costs.push({ strategy: label, ...rounded, relative: whole.cost > 0 ? cost / whole.cost : 1, expired });
  }
  const { exact, estimated } = weighed;
  const counts = { exact: Math.round(exact), estimated: Math.round(estimated) };
  return { turns: turns.length, rules, ...(model !== undefined && { model }), ...counts, strategies: costs };
};
