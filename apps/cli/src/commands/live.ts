import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import { readLiveList, renderLiveList } from '../live-list.js';
import { reportPage } from '../show-report.js';
import { jsonOption } from '../write-result.js';

export const command = defineCommand({
  name: 'live',
  description:
    'Watch a running session: its chats, the one that was written last first, the end of the chosen one, the tokens so far, what is waited for. From the keyboard a note is left for a chat (a), or its run is asked to stop (x). Where no terminal is, or with --json or --list, they are listed once: each chat with the notes that wait for it and that it got, and the jobs in flight with their state.',
  arguments: [{ name: 'FILE', description: 'a chat, or the result of a job', complete: 'chat' }],
  options: [{ name: 'list', description: 'list once what there is' }, jsonOption],
  examples: [
    ['colophon live hello.chat', 'watch it; q leaves'],
    ['colophon live --list hello.chat', 'where its agents are writing now'],
  ],
  run: async ({ words: [file], options }, context) => {
    const { stdin, stdout } = context;
    if (!options.json && !options.list && stdin.isTTY && stdout.isTerminal)
      return (await import('../live-watch.js')).watchLive(file!, context);
    const list = await readLiveList(file!, context);
    if (options.json) return stdout.line(JSON.stringify(list, null, 2));
    stdout.line(renderLiveList(list, reportPage(stdout.columns, context, createColors(stdout.color).dim)));
  },
});
