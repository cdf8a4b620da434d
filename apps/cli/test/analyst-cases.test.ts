import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Reports, runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { ColophonError } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { reportPage, showReport } from '../src/show-report.js';
import { folder } from './folder.js';

// `UPDATE=1 npx vitest run --project unit apps/cli/test/analyst-cases.test.ts` writes what the tasks give now; read the difference first.
const update = process.env['UPDATE'] === '1';

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));
const cases = join(fixtures, 'analyst');

/** `session`: the case whose files are taken; `root`: the chat or job; `inputs`: of tasks, by their names. */
type Case = { session?: string; root?: string; inputs?: Record<string, Record<string, unknown>> };

const written = new Date('2026-03-01T10:30:00Z');
const now = () => new Date('2026-03-01T10:30:15Z');

// Reports tell `~` for the folder of the session, so that they are the same wherever it is.
const columns = 80;
const page = reportPage(columns, { home: '/home', workingDirectory: '/home' });

const layOut = (name: string): Required<Case> & { folder: string } => {
  const file = join(cases, name, 'case.json');
  const {
    session = `analyst/${name}`,
    root = 'root.chat',
    inputs = {},
  }: Case = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const place = realpathSync(folder().path);
  cpSync(join(fixtures, session, 'files'), place, { recursive: true });
  for (const entry of readdirSync(place, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), written, written);
  return { session, root, inputs, folder: place };
};

/** What tasks need that can not do without. */
const needed = (root: string): Record<string, Record<string, unknown>> => ({
  extract_chat_range: { start: 0, end: 0 },
  message_content: { ids: [`${root}#0`] },
  post_inbox_advice: { message: 'Mind the bar.', name: 'bar.md' },
});

const run = async (name: string, task: string): Promise<{ json: string; text: string }> => {
  const { folder: place, root, inputs } = layOut(name);
  const context = nodeAnalystContext({ workingDirectory: place, home: place, now });
  const input = { file: root, ...needed(root)[task], ...inputs[task] };
  try {
    const report = await runTask(task, input, context, tasks);
    const json = JSON.stringify(report, null, 2).replaceAll(place, '~');
    const text = showReport(task as keyof Reports, JSON.parse(json), page);
    return { json, text };
  } catch (error) {
    if (!(error instanceof ColophonError)) throw error;
    const said = error.message.replaceAll(place, '~');
    return { json: JSON.stringify({ error: said }, null, 2), text: said };
  }
};

const expectFile = (file: string, actual: string): void => {
  if (update) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
  }
  if (!existsSync(file)) throw new Error(`${file} is missing. Write it with UPDATE=1, and read it before you keep it.`);
  expect(actual, file).toBe(readFileSync(file, 'utf8'));
};

describe.each(readdirSync(cases))('reports on %s', (name) => {
  test.each(Object.keys(tasks))('%s', async (task) => {
    const { json, text } = await run(name, task);
    expectFile(join(cases, name, 'expected', `${task}.json`), `${json}\n`);
    expectFile(join(cases, name, 'expected', `${task}.txt`), `${text}\n`);
  });

  test('shows the one total last, and no other in another report', async () => {
    const [report, tokens] = [await run(name, 'chat_report'), await run(name, 'chat_tokens')];
    const { tt } = JSON.parse(tokens.json).deduplicated_total;
    for (const { text } of [report, tokens]) {
      const [total, ...more] = text.split('\n').filter((line) => line.startsWith('total '));
      expect(more).toEqual([]);
      expect(total!.split(/\s+/)[1]).toBe(tt.toLocaleString('en-US'));
    }
  });

  test('has no expectation of a task that there is not', () => {
    const known = Object.keys(tasks).flatMap((task) => [`${task}.json`, `${task}.txt`]);
    expect(readdirSync(join(cases, name, 'expected')).filter((file) => !known.includes(file))).toEqual([]);
  });
});
