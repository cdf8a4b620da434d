import { type Chat, type Meta, sumTokens, type TokenField, tokenFields, traceSegments } from '@colophon/chat-format';

const zeros = Object.fromEntries(tokenFields.map((field) => [field, 0])) as Record<TokenField, number>;

const isDirect = (meta: Meta): boolean => !('job' in meta) && tokenFields.some((field) => field in meta);

/** Totals as a report shows them: all six fields, over the inferences that the chats hold themselves. */
export const tokenReport = (chats: Chat[]) => {
  const direct = traceSegments(chats.map((chat) => ({ chat }))).filter(({ meta }) => isDirect(meta));
  return { totals: { ...zeros, ...sumTokens(direct.map(({ meta }) => meta)) }, direct_entries: direct.length };
};
