import { parseChat, printChat } from '@colophon/chat-format';
import { defineCommand } from '../command.js';
import { messagesFromJson } from '../from-json.js';
import { readChatText } from '../read-chat.js';
import { outputOption, writeResult } from '../write-result.js';

export const command = defineCommand({
  name: 'chat print',
  description:
    'Print a chat as chat text, in its canonical form. A JSON file (what `chat json` prints) is read back. Nothing is run and no file is followed.',
  arguments: [{ name: 'FILE', description: 'a chat, a .json file, or - for standard input', complete: 'chat' }],
  options: [
    {
      name: 'from',
      value: 'FORMAT',
      choices: ['chat', 'json'],
      description: 'what FILE holds, where its name does not tell',
    },
    outputOption,
  ],
  examples: [
    ['colophon chat print hello.chat', 'the chat in canonical form'],
    ['colophon chat print hello.json -o hello.chat', 'a chat file from JSON messages'],
    [
      'colophon chat json hello.chat | jq \'map(select(.role != "meta"))\' | colophon chat print --from json -',
      'a chat without its evidence',
    ],
  ],
  run: async ({ words: [name], options }, context) => {
    const { text, file, path } = await readChatText(name!, context);
    const isJson = options.from === undefined ? path?.endsWith('.json') === true : options.from === 'json';
    await writeResult(
      printChat(isJson ? messagesFromJson(text, file) : parseChat(text, { file })),
      options.output,
      context,
    );
  },
});
