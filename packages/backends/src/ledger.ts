import { sumTokens, type Tokens } from '@colophon/chat-format';

/** What a run and everything that it delegated have used, against its limits; `parent` is that of the run it belongs to. */
export type Ledger = {
  tokens: Tokens;
  /** Dollars; undefined once a price or a count is not known. */
  cost: number | undefined;
  /** A reply reported no usage. */
  unmetered: boolean;
  /** Replies that were paid for. */
  replies: number;
  maxTokens?: number;
  maxCost?: number;
  parent?: Ledger;
};

/** An account with nothing on it. */
export const createLedger = (limits: Pick<Ledger, 'maxTokens' | 'maxCost' | 'parent'> = {}): Ledger => ({
  tokens: {},
  cost: 0,
  unmetered: false,
  replies: 0,
  ...limits,
});

/** A ledger and those that it belongs to, the nearest first. */
export const ledgers = (ledger: Ledger): Ledger[] => [ledger, ...(ledger.parent ? ledgers(ledger.parent) : [])];

/** Adds what a reply used to a ledger and to all that it belongs to. `cost` is undefined where no price is known. */
export const enter = (ledger: Ledger, usage: Tokens, cost: number | undefined): void => {
  for (const account of ledgers(ledger)) {
    account.tokens = sumTokens([account.tokens, usage]);
    account.unmetered ||= usage.tt === undefined;
    account.cost = account.cost === undefined || cost === undefined ? undefined : account.cost + cost;
    account.replies++;
  }
};
