import { askOptions, runAsk } from '../ask-run.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'agent ask',
  description:
    'Ask an agent: a folder with a start chat, a workflow or a knowledge base, named as in Agent/NAME or by its path. All else is as with `ask`. With -c the chat is the record; the whole conversation, and those of the agents that it asks, stand beside it in CHAT.files/.',
  arguments: [
    { name: 'NAME', description: 'the agent, or the path of its folder', complete: 'agent' },
    { name: 'question', description: 'the words of the question', optional: true, many: true },
  ],
  options: askOptions,
  examples: [
    ['colophon agent ask Cook "What can I make of rye?"', 'one question, one answer'],
    ['colophon agent ask Cook -c menu.chat "And for Sunday?"', 'a conversation, in a file'],
    ['colophon agent ask Cook -d "Hello"', 'the prompt that would be sent'],
  ],
  run: ({ words: [agent = '', ...words], ...given }, context) => runAsk({ ...given, words, agent }, context),
});
