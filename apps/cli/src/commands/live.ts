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
    'List the chats of a session, the one that was written last first: there the work goes on, and there a note is best left (colophon inbox post). Chats of jobs that are being waited for are among them.',
  arguments: [{ name: 'FILE', description: 'a chat, or the result of a job', complete: 'chat' }],
  options: [jsonOption],
  examples: [['colophon live hello.chat', 'where its agents are writing now']],
  run: async ({ words: [file], options }, context) => {
    const { stdout, stderr } = context;
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
