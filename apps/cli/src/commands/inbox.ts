import type { Reports } from '@colophon/analyst-tasks';
import { visibleText } from '@colophon/provenance';
import { createColors } from 'picocolors';
import { runAnalyst } from '../analyst-run.js';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { readStdin } from '../read-stdin.js';
import { reportPage, showReport } from '../show-report.js';
import { jsonOption } from '../write-result.js';

type Options = { json?: true; name?: string };

const show = async (file: string, { json }: Options, context: MachineContext): Promise<void> => {
  const { stdout } = context;
  const state = await runAnalyst<Reports['inbox_state']>('inbox_state', { file }, context);
  if (json) return stdout.line(JSON.stringify(state, null, 2));
  stdout.line(showReport('inbox_state', state, reportPage(stdout.columns, context, createColors(stdout.color).dim)));
};

const post = async (file: string, text: string | undefined, options: Options, context: MachineContext) => {
  const message = text ?? (await readStdin(context, { expected: true })) ?? '';
  if (message.trim() === '') throw usageError('TEXT is missing: the text of the note', 'inbox');
  const given = options.name === undefined ? {} : { name: options.name };
  const posted = await runAnalyst<Reports['post_inbox_advice']>(
    'post_inbox_advice',
    { file, message, ...given },
    context,
  );
  if (options.json) context.stdout.line(JSON.stringify(posted, null, 2));
  else context.stdout.line(visibleText(posted.posted));
};

export const command = defineCommand({
  name: 'inbox',
  description:
    'Show the notes that wait for a running chat, and those that it got. `inbox post FILE TEXT` leaves one: the model gets it as a message with its next real request, once; the transcript never has it. Without TEXT, or with -, the note is read from standard input.',
  arguments: [
    {
      name: '[post] FILE [TEXT]',
      description: 'a chat; behind post also the text of a note',
      many: true,
      complete: 'chat',
    },
  ],
  options: [{ name: 'name', value: 'NAME', description: 'file name of the note; default: the time' }, jsonOption],
  examples: [
    ['colophon inbox hello.chat', 'what waits, what was delivered'],
    ['colophon inbox post hello.chat "Be brief, and stop at ten."', 'advise the running chat'],
  ],
  run: ({ words, options }, context) => {
    if (words[0] !== 'post') {
      if (words.length > 1)
        throw usageError(`too many arguments: ${words[1]}; a note is left by \`inbox post\``, 'inbox');
      return show(words[0]!, options, context);
    }
    const [, file, text, more] = words;
    if (file === undefined) throw usageError('FILE is missing: the chat that the note is for', 'inbox');
    if (more !== undefined) throw usageError(`too many arguments: ${more}; put the text in quotes`, 'inbox');
    return post(file, text === '-' ? undefined : text, options, context);
  },
});
