import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadChat } from '@colophon/chat-format/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { times } from './scale.js';

const child = fileURLToPath(new URL('append-many.ts', import.meta.url));
const count = times(500);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'two-writers-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (file: string, name: string) => {
  const process_ = spawn(
    process.execPath,
    ['--import', 'tsx', '-C', 'colophon-source', child, file, name, String(count)],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const [status] = await once(process_, 'exit');
  return status;
};

test.each([
  ['a new file', undefined, 0],
  ['a hand-written file with an open fence', 'user: hi\n```\nopen', 2],
])(`two processes append ${count} messages each to %s`, async (what, before, messagesBefore) => {
  const file = join(folder, `${what.replaceAll(' ', '-')}.chat`);
  if (before !== undefined) await writeFile(file, before);

  expect(await Promise.all([write(file, 'ada'), write(file, 'bea')])).toEqual([0, 0]);

  const chat = await loadChat(file);
  const own = (name: string) =>
    chat.map(({ content }) => content.split('\n')[0]!).filter((line) => line.startsWith(name));
  expect(chat.length).toBe(messagesBefore + 2 * count);
  for (const name of ['ada', 'bea']) {
    expect(own(name)).toEqual(Array.from({ length: count }, (_, index) => `${name} ${index}`));
  }
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
});
