import { defineCommand } from '../command.js';
import { completeWords } from '../complete-words.js';
import { valuesOf } from '../completion-values.js';

/** Called by the completion scripts, never by a person: `colophon complete -- WORD… LAST`. */
export const command = defineCommand({
  name: 'complete',
  description: 'Print what may stand for the last word, for the completion scripts.',
  arguments: [{ name: 'words', description: 'the words behind `colophon`', optional: true, many: true }],
  options: [],
  examples: [["colophon complete -- chat ''", 'the commands of the group chat']],
  run: async ({ words }, context) => {
    const { candidates, files } = await completeWords(words, valuesOf(context));
    for (const { value, description } of candidates) context.stdout.line(`${value}\t${description}`);
    context.stdout.line(files ? ':0' : ':4');
  },
});
