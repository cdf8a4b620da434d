import type { Chat, Message } from '@colophon/chat-format';
import type { Turn } from './take-turns.js';

/**
 * Tokens of the messages of a stored chat, and of others. `overhead`: what every prompt holds beside its messages, such as the
 * definitions of tools. `exact` and `estimated` tell how many tokens of the chat are known, and how many are estimated.
 */
export type WeighedChat = {
  tokensOf: (message: Message) => number;
  overhead: number;
  exact: number;
  estimated: number;
};

/**
 * How far a reported count may be from the estimate. Beyond, the prompt that was reported did not just grow by these messages:
 * it was recorded while a strategy took others away.
 */
const plausibleFactor = 3;

const isPlausible = (reported: number, estimated: number): boolean =>
  reported > 0 && reported < estimated * plausibleFactor && estimated < reported * plausibleFactor;

/**
 * Gives each message its tokens. The messages between two recorded inferences have together what the second prompt has more
 * than the first, which is exact. Where no record tells, they have what `estimate` says, times the ratio of known to
 * estimated tokens elsewhere in the chat. Linear in the size of the chat.
 */
export const weighMessages = (
  chat: Chat,
  turns: readonly Turn[],
  estimate: (message: Message) => number,
): WeighedChat => {
  const known = new Map<Message, number>();
  const sum = (messages: Chat): number => messages.reduce((total, message) => total + estimate(message), 0);
  let overhead = 0;
  let later = { reported: 0, estimated: 0 };
  let before: { end: number; tokens: number } | undefined;
  for (const { end, meta } of turns) {
    const tokens = meta?.['pt'];
    if (typeof tokens !== 'number') continue;
    const added = chat.slice(before?.end ?? 0, end);
    const estimated = sum(added);
    if (!before) overhead = Math.max(0, tokens - estimated);
    const reported = tokens - (before?.tokens ?? overhead);
    if (isPlausible(reported, estimated)) {
      for (const message of added) known.set(message, (estimate(message) * reported) / estimated);
      if (before) later = { reported: later.reported + reported, estimated: later.estimated + estimated };
    }
    before = { end, tokens };
  }
  const ratio = later.estimated > 0 ? later.reported / later.estimated : 1;
  const tokensOf = (message: Message): number => known.get(message) ?? estimate(message) * ratio;
  const total = chat.reduce((tokens, message) => tokens + tokensOf(message), overhead);
  const exact = [...known.values()].reduce((tokens, count) => tokens + count, overhead);
  return { tokensOf, overhead, exact, estimated: total - exact };
};
