import { parseChat } from '@colophon/chat-format';
import { defineCommand } from '../command.js';
import { readChatText } from '../read-chat.js';
import { outputOption, writeResult } from '../write-result.js';

export const command = defineCommand({
  name: 'chat json',
  description:
    'Print the messages of a chat as JSON: a list of objects with role and content, as they are stored. Nothing is run; `chat compile --json` shows what they compile to.',
  arguments: [{ name: 'FILE', description: 'a chat, or - for standard input', complete: 'chat' }],
  options: [outputOption],
  examples: [
    ['colophon chat json hello.chat', 'the messages'],
    ["colophon chat json hello.chat | jq -r '.[-1].content'", 'the last message alone'],
  ],
  run: async ({ words: [name], options }, context) => {
    const { text, file } = await readChatText(name!, context);
    const messages = parseChat(text, { file }).map(({ role, content }) => ({ role, content }));
    await writeResult(JSON.stringify(messages, null, 2), options.output, context);
  },
});
