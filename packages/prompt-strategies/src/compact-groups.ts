import type { Chat, Message } from '@colophon/chat-format';
import { type NoticeCounts, noticeCounts, noticeMessage } from './notice.js';
import { shortenMessage } from './shorten-message.js';
import type { StrategyContext } from './strategy.js';
import { type GroupedChat, groupMessages, isGroup, type ToolGroup } from './tool-groups.js';

/** What becomes of a group: all of it, always. */
export type GroupClass = 'whole' | 'shortened' | 'dropped';

/** Tells the class of each group. */
export type ClassOf = (group: ToolGroup) => GroupClass;

const messagesOf = (group: ToolGroup, groupClass: GroupClass, context: StrategyContext): Message[] => {
  if (groupClass === 'dropped') return [];
  const messages = groupMessages(group);
  return groupClass === 'shortened' ? messages.map((message) => shortenMessage(message, context)) : messages;
};

/** How many messages a classing shortens and leaves out. */
const countCompacted = (groups: readonly ToolGroup[], classOf: ClassOf, context: StrategyContext): NoticeCounts => {
  const counts: NoticeCounts = { shortened: 0, removed: 0 };
  for (const group of groups) {
    const groupClass = classOf(group);
    if (groupClass === 'whole') continue;
    const messages = groupMessages(group);
    if (groupClass === 'dropped') counts.removed += messages.length;
    else counts.shortened += messages.filter((message) => shortenMessage(message, context) !== message).length;
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
  const chat: Message[] = [];
  let earlier: NoticeCounts | undefined;
  let firstDropped: number | undefined;
  let firstKept: number | undefined;
  for (const part of parts) {
    if (isGroup(part)) {
      const messages = messagesOf(part, classOf(part), context);
      if (messages.length > 0) firstKept ??= chat.length;
      else firstDropped ??= chat.length;
      chat.push(...messages);
    } else if (noticeCounts(part)) earlier = noticeCounts(part);
    else chat.push(part);
  }
  const now = countCompacted(groups, classOf, context);
  if (isNothing(now) && !earlier) return chat;
  const last = classAtLast === classOf || isNothing(now) ? now : countCompacted(groups, classAtLast, context);
  const { shortened, removed } = isNothing(last) ? now : last;
  const counts = { shortened: shortened + (earlier?.shortened ?? 0), removed: removed + (earlier?.removed ?? 0) };
  chat.splice(firstKept ?? firstDropped ?? chat.length, 0, noticeMessage(counts));
  return chat;
};
