import type { Meta, Tokens } from '@colophon/chat-format';
import { findLimits, limitsSource } from './model-limits.js';

/** Dollars per million tokens. An absent cache price is the price of ordinary input. */
export type Prices = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

/** A model, and the provider whose price list it is looked up in, by id or by the address of its API; without one the model's name decides. */
export type ModelName = string | { model: string; provider?: string; url?: string; prices?: Prices; at?: Date };

/** What is known of a model. Lengths in tokens; absent means unknown. */
export type ModelFacts = {
  id: string;
  provider: string;
  contextLength?: number;
  outputLimit?: number;
  /** As the price list has them: `input_mtok` is dollars per million input tokens; tiers begin at a prompt length. */
  prices?: Record<string, unknown>;
  sources: { name: string; date: string }[];
};

const priceSource = { name: '@pydantic/genai-prices 0.1.8', date: '2026-09' };

const asked = (name: ModelName) => (typeof name === 'string' ? { model: name } : name);

const lookUp = async (name: ModelName, usage: Record<string, number>) => {
  const { model, provider, url, at } = asked(name);
  const { calcPrice } = await import('@pydantic/genai-prices');
  const options = {
    ...(provider === undefined ? {} : { providerId: provider }),
    ...(url === undefined ? {} : { providerApiUrl: url }),
    ...(at === undefined ? {} : { timestamp: at }),
  };
  try {
    return calcPrice(usage, model, options) ?? undefined;
  } catch {
    // Counts that contradict each other (more cached than sent) have no price.
    return undefined;
  }
};

/** Context length, output limit and prices of a model; `undefined` for one that no list knows. */
export const modelFacts = async (name: ModelName): Promise<ModelFacts | undefined> => {
  const found = await lookUp(name, {});
  const { model, provider } = asked(name);
  const limits = await findLimits(model, provider ?? found?.provider.id);
  if (!found && !limits) return undefined;
  const contextLength = found?.model.context_window ?? limits?.context;
  return {
    id: found?.model.id ?? model,
    provider: found?.provider.id ?? limits?.provider ?? '',
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(limits?.output === undefined ? {} : { outputLimit: limits.output }),
    ...(found ? { prices: found.model_price } : {}),
    sources: [...(found ? [priceSource] : []), ...(limits ? [limitsSource] : [])],
  };
};

const ownCost = (
  { input, output, cacheRead = input, cacheWrite = input }: Prices,
  prompt: number,
  completion: number,
  read: number,
  write: number,
) => ((prompt - read - write) * input + read * cacheRead + write * cacheWrite + completion * output) / 1e6;

/**
 * Dollars for these tokens: cached reads and writes at their own prices, reasoning as the output that it is. `undefined` where
 * the model has no known price, or the prompt or completion tokens are not known.
 */
export const costOf = async (tokens: Tokens | Meta, name: ModelName): Promise<number | undefined> => {
  const { pt, ct, cct = 0, cwt = 0 } = tokens as Tokens;
  if (typeof pt !== 'number' || typeof ct !== 'number') return undefined;
  const { prices } = asked(name) as { prices?: Prices };
  if (prices) return ownCost(prices, pt, ct, cct, cwt);
  const found = await lookUp(name, {
    input_tokens: pt,
    output_tokens: ct,
    cache_read_tokens: cct,
    cache_write_tokens: cwt,
  });
  return found?.total_price;
};
