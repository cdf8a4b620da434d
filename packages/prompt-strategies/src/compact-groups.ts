import type { Chat, Message } from '@colophon/chat-format';
import { type NoticeCounts, noticeCounts, noticeMessage } from './notice.js';
import { shortenMessage } from './shorten-message.js';
import type { StrategyContext } from './strategy.js';
import { addMessages, type GroupedChat, isGroup, type ToolGroup } from './tool-groups.js';

/** What becomes of a group: all of it, always. */
export type GroupClass = 'whole' | 'shortened' | 'dropped';

/** Tells the class of each group. */
export type ClassOf = (group: ToolGroup) => GroupClass;

type Shortened = { messages: Message[]; count: number };

/** Shortens the messages of a group, once for each group; `count` tells how many were long enough. */
const groupShortener = (context: StrategyContext): ((group: ToolGroup) => Shortened) => {
  const known = new Map<ToolGroup, Shortened>();
  return (group) => {
    let shortened = known.get(group);
    if (!shortened) {
      const whole: Message[] = [];
      addMessages(whole, group);
      const messages = whole.map((message) => shortenMessage(message, context));
      shortened = { messages, count: messages.filter((message, index) => message !== whole[index]).length };
      known.set(group, shortened);
    }
    return shortened;
  };
};

const countCompacted = (
  groups: readonly ToolGroup[],
  classOf: ClassOf,
  shorten: (group: ToolGroup) => Shortened,
): NoticeCounts => {
  const counts: NoticeCounts = { shortened: 0, removed: 0 };
  for (const group of groups) {
    const groupClass = classOf(group);
    if (groupClass === 'dropped') counts.removed += group.pairs.length + group.outputs.length;
    else if (groupClass === 'shortened') counts.shortened += shorten(group).count;
  }
  return counts;
};

const isNothing = ({ shortened, removed }: NoticeCounts): boolean => shortened === 0 && removed === 0;

/**
 * Writes a grouped chat as a prompt, each group by its class. Where anything was shortened or left out, one notice stands
 * before the first group that is kept, or where the first one stood. It counts by `classAtLast`, the classes at the last
 * compaction, where that is given: so its text holds still until the next one.
 */
export const compactGroups = (
  { parts, groups }: GroupedChat,
  classOf: ClassOf,
  context: StrategyContext,
  classAtLast: ClassOf = classOf,
): Chat => {
  const shorten = groupShortener(context);
  const chat: Message[] = [];
  let earlier: NoticeCounts | undefined;
  let firstDropped: number | undefined;
  let firstKept: number | undefined;
  for (const part of parts) {
    if (isGroup(part)) {
      const groupClass = classOf(part);
      if (groupClass === 'dropped') firstDropped ??= chat.length;
      else {
        firstKept ??= chat.length;
        if (groupClass === 'shortened') for (const message of shorten(part).messages) chat.push(message);
        else addMessages(chat, part);
      }
    } else if (noticeCounts(part)) earlier = noticeCounts(part);
    else chat.push(part);
  }
  const now = countCompacted(groups, classOf, shorten);
  if (isNothing(now) && !earlier) return chat;
  const last = classAtLast === classOf || isNothing(now) ? now : countCompacted(groups, classAtLast, shorten);
  const { shortened, removed } = isNothing(last) ? now : last;
  const counts = { shortened: shortened + (earlier?.shortened ?? 0), removed: removed + (earlier?.removed ?? 0) };
  chat.splice(firstKept ?? firstDropped ?? chat.length, 0, noticeMessage(counts));
  return chat;
};
