import { ColophonError, sumTokens, type Tokens } from '@colophon/chat-format';
import type { StopReason } from './backend.js';
import { unknownPrice } from './errors.js';
import { enter, type Ledger, ledgers } from './ledger.js';
import { costOf, type ModelName, type Prices } from './models.js';
import type { Received } from './request.js';
import type { Run } from './run.js';

/** Why no further request is made. */
export type Stop = { stopReason: StopReason; reason: string };

/** Requests that one `ask` may make, unless it is told otherwise. */
const defaultMaxRounds = 100;

// Whose price list counts where no address is given.
const providers: Record<string, string | undefined> = { openai: 'openai', responses: 'openai', anthropic: 'anthropic' };

const modelOf = ({ options, context }: Run, model = options.model): ModelName | undefined => {
  const { backend, credentials, own } = options;
  if (own.prices) return { model, prices: own.prices as Prices };
  if ('reply' in backend) return undefined;
  const at = context.now();
  if (credentials.url !== undefined) return { model, url: credentials.url, at };
  const provider = providers[backend.name];
  return provider === undefined ? undefined : { model, provider, at };
};

// The model that answered, as the provider names it, else the one that was asked.
const costOfReply = async (run: Run, tokens: Tokens, answered: string | undefined): Promise<number | undefined> => {
  for (const name of [answered, run.options.model]) {
    const model = name === undefined ? undefined : modelOf(run, name);
    const cost = model === undefined ? undefined : await costOf(tokens, model);
    if (cost !== undefined) return cost;
  }
  return undefined;
};

/** Throws `unknown_price` where `maxCost` is set and the model has no known price: a budget that can't be held is told beforehand. */
export const checkBudget = async (run: Run): Promise<void> => {
  if (ledgers(run.ledger).every(({ maxCost }) => maxCost === undefined)) return;
  const asked = modelOf(run);
  const price = asked && (await costOf({ pt: 1, ct: 1 }, asked));
  if (price === undefined) throw unknownPrice(run.options.model, run.options.backend.name);
};

/** Adds what a reply used to the run. What was paid for before counts nothing. */
export const addUsage = async (run: Run, { usage = {}, model, cached }: Received): Promise<void> => {
  if (cached) return;
  run.tokens = sumTokens([run.tokens, usage]);
  const cost = await costOfReply(run, usage, model);
  run.cost = run.cost === undefined || cost === undefined ? undefined : run.cost + cost;
  enter(run.ledger, usage, cost);
};

const reasonOf = (reason: unknown): string =>
  reason instanceof Error && reason.name !== 'AbortError'
    ? reason.message
    : typeof reason === 'string'
      ? reason
      : 'the run was aborted';

/** Why an error means that the run was aborted, by the signal or by a note in the inbox; undefined where it does not. */
export const abortReason = (error: unknown, signal: AbortSignal): string | undefined => {
  // Another error of the project, such as a full disk, is told although the run was to stop.
  if (error instanceof ColophonError && error.code !== 'aborted') return undefined;
  if (signal.aborted) return reasonOf(signal.reason);
  if (!(error instanceof ColophonError)) return undefined;
  const { reason } = error.facts;
  return typeof reason === 'string' ? reason : error.message;
};

const overspent = ({ tokens, cost, unmetered, maxTokens, maxCost }: Ledger): string | undefined => {
  const used = tokens.tt ?? 0;
  if (maxTokens !== undefined && used >= maxTokens) return `${used} tokens are used, the budget is ${maxTokens}`;
  if (maxTokens !== undefined && unmetered)
    return `a reply did not tell its tokens, so that the budget of ${maxTokens} can't be held`;
  if (maxCost !== undefined && cost === undefined)
    return `the cost of a reply is not known, so that the budget of $${maxCost} can't be held`;
  // Sums of prices are not exact: what is within a billionth of the limit has reached it.
  if (maxCost !== undefined && cost !== undefined && cost >= maxCost * (1 - 1e-9))
    return `$${cost.toFixed(6)} are spent, the budget is $${maxCost}`;
  return undefined;
};

/**
 * Whether the run has to stop before its next request: aborted, rounds used up, tokens or dollars (of this run or of one that it
 * belongs to) used up or not known.
 */
export const limitOf = ({ signal, rounds, options, ledger }: Run): Stop | undefined => {
  const { maxRounds = defaultMaxRounds } = options.own as { maxRounds?: number };
  if (signal.aborted) return { stopReason: 'aborted', reason: reasonOf(signal.reason) };
  if (rounds >= maxRounds)
    return {
      stopReason: 'max_rounds',
      reason: `the limit of ${maxRounds} round${maxRounds === 1 ? '' : 's'} is reached`,
    };
  const [reason] = ledgers(ledger).flatMap((account) => overspent(account) ?? []);
  return reason === undefined ? undefined : { stopReason: 'budget', reason };
};
