import { visibleText } from '@colophon/provenance';
import { createColors } from 'picocolors';
import { runAnalyst } from '../analyst-run.js';
import { defineCommand } from '../command.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

type LiveChats = {
  chats: { path: string; age: number; size: number; likely_active: boolean; source: string }[];
  job?: { status: string; running: boolean };
};

const printAge = (seconds: number): string => {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

export const command = defineCommand({
  name: 'live',
  description:
    'Watch a running session: its chats, the one that was written last first, the end of the chosen one, the tokens so far, what is waited for. From the keyboard a note is left for a chat (a), or its run is asked to stop (x). Where no terminal is, or with --json or --list, the chats are listed once.',
  arguments: [{ name: 'FILE', description: 'a chat, or the result of a job', complete: 'chat' }],
  options: [{ name: 'list', description: 'list the chats once' }, jsonOption],
  examples: [
    ['colophon live hello.chat', 'watch it; q leaves'],
    ['colophon live --list hello.chat', 'where its agents are writing now'],
  ],
  run: async ({ words: [file], options }, context) => {
    const { stdin, stdout, stderr } = context;
    if (!options.json && !options.list && stdin.isTTY && stdout.isTerminal)
      return (await import('../live-watch.js')).watchLive(file!, context);
    const live = await runAnalyst<LiveChats>('live_chats', { file }, context);
    if (options.json) return stdout.line(JSON.stringify(live, null, 2));
    const { dim } = createColors(stdout.color);
    const rows = live.chats.map(({ path, age, size, likely_active: active, source }) => [
      active ? '→' : '',
      printAge(age),
      String(size),
      source,
      visibleText(path),
    ]);
    if (rows.length > 0)
      stdout.line(renderTable(['', 'AGE', 'BYTES', 'FOUND BY', 'CHAT'], rows, { right: [1, 2], paint: dim }));
    if (live.job) stderr.line(`the job is ${live.job.running ? 'running' : visibleText(live.job.status)}`);
  },
});
