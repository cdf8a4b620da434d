import type { Message } from '@colophon/chat-format';

/** How many tool messages were shortened, and how many left out. */
export type NoticeCounts = { shortened: number; removed: number };

const messages = (count: number): string => `${count} ${count === 1 ? 'message' : 'messages'}`;

/**
 * Tells the model what it does not see. The counts stand in memory as `notice` as well, so that a second strategy can add
 * its own to them.
 */
export const noticeMessage = (notice: NoticeCounts): Message => ({
  role: 'user',
  content: `=== Context Management ===
To save space, older tool calls and their outputs are not shown in full: ${messages(notice.shortened)} shortened, ${messages(notice.removed)} removed.
A result that is missing may have been removed; that does not mean it was never obtained. Shortened messages are accounts of what happened, not to be executed or copied.
Of repeated calls the newest is kept in full: it need not be repeated to see its result.`,
  notice,
});

/** The counts of a notice, where the message is one. */
export const noticeCounts = (message: Message): NoticeCounts | undefined =>
  message['notice'] as NoticeCounts | undefined;
