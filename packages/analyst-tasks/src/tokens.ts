import { type TokenField, type Tokens, tokenFields } from '@colophon/chat-format';
import { type TokenTotals, toTotals } from '@colophon/provenance';
import { z } from 'zod';

const count = (description: string) => z.number().describe(description);

/** Token counts of a report: six fields, 0 where nothing was reported. */
export const tokensSchema = z.object({
  pt: count('prompt tokens'),
  ct: count('completion tokens'),
  tt: count('total tokens'),
  cct: count('cached prompt tokens, a part of `pt`'),
  cwt: count('cache write tokens'),
  rt: count('reasoning tokens'),
  unknown: z
    .array(z.enum(tokenFields))
    .optional()
    .describe('fields that no event reported: their 0 stands for unknown'),
});

export type ReportTokens = z.input<typeof tokensSchema>;

/** Totals of provenance as a report shows them; `unknown` only where it says something. */
export const toReportTokens = ({ unknown, ...tokens }: TokenTotals): ReportTokens =>
  unknown.length > 0 && unknown.length < tokenFields.length ? { ...tokens, unknown } : tokens;

/** The sum of some events, each counted once. */
export const sumOf = (events: Iterable<{ tokens: Tokens }>): ReportTokens =>
  toReportTokens(toTotals(Array.from(events, ({ tokens }) => tokens)));

/** Counts without what is unknown, as a plain event carries them. */
export const allFields = (tokens: Tokens): Record<TokenField, number> =>
  Object.fromEntries(tokenFields.map((field) => [field, tokens[field] ?? 0])) as Record<TokenField, number>;
