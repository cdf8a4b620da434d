import { askOptions, runAsk } from '../ask-run.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'ask',
  description:
    'Ask a question, or go on with a chat file. The answer is streamed to standard output; what else happens is told on standard error. The words are the question, literally: only chat files and templates are read for roles. What is piped in becomes part of the question: where `...` stands in it, else before it. Without words, -c finishes or answers a chat as it stands.',
  arguments: [{ name: 'question', description: 'the words of the question', optional: true, many: true }],
  options: askOptions,
  examples: [
    ['colophon ask "Why is the sky blue?"', 'one question, one answer'],
    ['colophon ask -c sky.chat "And at night?"', 'the same conversation, in a file'],
    ['git diff | colophon ask "Write a commit message for ..."', 'what is piped in, in the place of the dots'],
    ['colophon ask -f notes.md "What is missing?"', 'about a file'],
    ['colophon ask -d -c sky.chat "And at noon?"', 'the prompt that would be sent'],
    ['colophon ask -w Kitchen "Bake a bread of 500 g flour"', 'with the tasks of a workflow as tools'],
    ['colophon ask --inline main.py', 'the questions in the comments of a file, answered in place'],
  ],
  run: (given, context) => runAsk(given, context),
});
