import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const reader = fileURLToPath(new URL('inbox-reader.ts', import.meta.url));
const workspace = fileURLToPath(new URL('../../..', import.meta.url));

test('several processes, some killed at any moment: no note is delivered twice, none is lost from the disk', async () => {
  const root = mkdtempSync(join(tmpdir(), 'inbox-'));
  const saveFile = join(root, 'x.chat');
  const inbox = join(root, 'x.inbox');
  mkdirSync(inbox);
  const printed: string[] = [];
  const start = (): { child: ChildProcess; ended: Promise<unknown> } => {
    const child = spawn(process.execPath, ['-C', 'colophon-source', '--import', 'tsx', reader, saveFile], {
      cwd: workspace,
    });
    const index = printed.push('') - 1;
    child.stdout.on('data', (data) => {
      printed[index] += data;
    });
    return { child, ended: new Promise((resolve) => child.on('close', resolve)) };
  };
  const readers = [start(), start(), start()];
  while (printed.some((text) => text === '')) await wait(10);
  const total = 600;
  for (let n = 0; n < total; n++) {
    writeFileSync(join(root, 'writing'), `note ${n}`);
    renameSync(join(root, 'writing'), join(inbox, `${n % 7}.${n}.md`));
    if (n % 5 === 0) await wait(3 + (n % 7));
    if (n === 250 || n === 450) {
      readers.shift()?.child.kill('SIGKILL');
      readers.push(start());
    }
  }
  writeFileSync(`${saveFile}.stop`, '');
  await Promise.all(readers.map(({ ended }) => ended));

  const delivered = printed.flatMap((text) => text.split('\n').slice(1, -1));
  expect(new Set(delivered).size).toBe(delivered.length);
  expect(readdirSync(inbox)).toEqual([]);
  const kept = readdirSync(join(root, 'x.inbox_removed')).map((name) =>
    readFileSync(join(root, 'x.inbox_removed', name), 'utf8'),
  );
  const notes = Array.from({ length: total }, (_, n) => `note ${n}`);
  expect(kept.filter((text) => text !== '').sort()).toEqual(notes.toSorted());
  expect(notes).toEqual(expect.arrayContaining(delivered));
  expect(delivered.length).toBeGreaterThan(total / 2);
  rmSync(root, { recursive: true });
});
