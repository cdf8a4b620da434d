import { parseChat } from '@colophon/chat-format';
import { defineCommand } from '../command.js';
import { readChatText } from '../read-chat.js';
import { renderMarkdown } from '../render-markdown.js';
import { outputOption, writeResult } from '../write-result.js';

export const command = defineCommand({
  name: 'chat md',
  description:
    'Print the conversation as Markdown: what user and assistant said, under headings, as it stands. Nothing is run.',
  arguments: [{ name: 'FILE', description: 'a chat, or - for standard input', complete: 'chat' }],
  options: [{ name: 'last', short: 'l', description: 'the last exchange alone' }, outputOption],
  examples: [
    ['colophon chat md hello.chat', 'the whole conversation'],
    ['colophon chat md hello.chat --last -o answer.md', 'the last question and its answer, into a file'],
  ],
  run: async ({ words: [name], options }, context) => {
    const { text, file } = await readChatText(name!, context);
    const chat = parseChat(text, { file }).filter(
      ({ role, content }) => ['user', 'assistant'].includes(role) && content !== '',
    );
    const start = options.last ? chat.findLastIndex(({ role }) => role === 'user') : 0;
    await writeResult(renderMarkdown(chat.slice(Math.max(0, start))), options.output, context);
  },
});
