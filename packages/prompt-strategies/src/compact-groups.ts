import type { Chat, Message } from '@colophon/chat-format';
import { type NoticeCounts, noticeCounts, noticeMessage } from './notice.js';
import { shortenMessage } from './shorten-message.js';
import type { StrategyContext } from './strategy.js';
import { type GroupedChat, groupMessages, isGroup, type ToolGroup } from './tool-groups.js';

/** What becomes of a group: all of it, always. */
export type GroupClass = 'whole' | 'shortened' | 'dropped';

/**
 * Writes a grouped chat as a prompt, each group by its class. Where anything was shortened or left out, one notice stands
 * before the first group that is kept, or where the first one stood.
 */
export const compactGroups = (
  { parts }: GroupedChat,
  classOf: (group: ToolGroup) => GroupClass,
  context: StrategyContext,
): Chat => {
  const chat: Message[] = [];
  const counts: NoticeCounts = { shortened: 0, removed: 0 };
  let firstDropped: number | undefined;
  let firstKept: number | undefined;

  const addGroup = (group: ToolGroup): void => {
    const messages = groupMessages(group);
    const groupClass = classOf(group);
    if (groupClass === 'dropped') {
      firstDropped ??= chat.length;
      counts.removed += messages.length;
      return;
    }
    firstKept ??= chat.length;
    for (const message of messages) {
      const kept = groupClass === 'shortened' ? shortenMessage(message, context) : message;
      if (kept !== message) counts.shortened++;
      chat.push(kept);
    }
  };

  for (const part of parts) {
    if (isGroup(part)) addGroup(part);
    else {
      const earlier = noticeCounts(part);
      if (!earlier) chat.push(part);
      counts.shortened += earlier?.shortened ?? 0;
      counts.removed += earlier?.removed ?? 0;
    }
  }
  if (counts.shortened > 0 || counts.removed > 0)
    chat.splice(firstKept ?? firstDropped ?? chat.length, 0, noticeMessage(counts));
  return chat;
};
