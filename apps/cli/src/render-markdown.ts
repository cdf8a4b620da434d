import type { Chat } from '@colophon/chat-format';

/** The fence that a Markdown text leaves open at its end, if any. Linear in the text. */
const openFence = (text: string): string | undefined => {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const run = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (run === undefined) continue;
    if (open === undefined) open = run;
    else if (run[0] === open[0] && run.length >= open.length && line.trim() === run) open = undefined;
  }
  return open;
};

const headings: Readonly<Record<string, string>> = { user: 'User', assistant: 'Assistant' };

/**
 * The conversation of a chat as Markdown: what user and assistant said, each under a heading, contents as they stand. A fence
 * that a message leaves open is closed, so that it swallows nothing.
 */
export const renderMarkdown = (chat: Chat): string =>
  chat
    .filter(({ role, content }) => role in headings && content.trim() !== '')
    .map(({ role, content }) => {
      const fence = openFence(content);
      return `## ${headings[role]}\n\n${content}${fence ? `\n${fence}` : ''}\n`;
    })
    .join('\n');
