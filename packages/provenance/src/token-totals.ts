import { sumTokens, type Tokens, tokenFields } from '@colophon/chat-format';
import { unknownScopeError } from './errors.js';
import type { Evidence, TokenEvent, TokenScope, TokenTotals } from './token-event.js';

const from = (event: TokenEvent, origin: Evidence['origin']): boolean =>
  event.evidence.some((evidence) => evidence.origin === origin);

/** Which events each scope takes in. */
export const tokenScopes = {
  deduplicated_total: () => true,
  chat_evidence: (event) => from(event, 'chat_meta'),
  receipt_evidence: (event) => from(event, 'agent_meta'),
  receipt_only: (event) => !from(event, 'chat_meta'),
} satisfies Record<TokenScope, (event: TokenEvent) => boolean>;

/** Sums as a report shows them: all six fields, and which of them nobody reported. */
export const toTotals = (records: Iterable<Tokens>): TokenTotals => {
  const sums = sumTokens(records);
  const unknown = tokenFields.filter((field) => sums[field] === undefined);
  const [pt, ct, tt, cct, cwt, rt] = tokenFields.map((field) => sums[field] ?? 0) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { pt, ct, tt, cct, cwt, rt, unknown };
};

/**
 * Token sums over events of one scope. `deduplicated_total` is the only cost; `chat_evidence` and `receipt_evidence` say how much
 * is covered, and overlap. Linear in the number of events.
 *
 * @throws ColophonError `unknown_scope`.
 */
export const tokenTotals = (events: readonly TokenEvent[], scope: TokenScope = 'deduplicated_total'): TokenTotals => {
  if (!Object.hasOwn(tokenScopes, scope)) throw unknownScopeError(scope, Object.keys(tokenScopes));
  return toTotals(events.filter(tokenScopes[scope]).map(({ tokens }) => tokens));
};
