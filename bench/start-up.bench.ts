import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measure } from './run.js';

export const name = 'start-up';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'apps/cli/dist/bin.cjs');

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

const rounds = 25;

/** Wall time of whole processes, the built command line against Node that does nothing. */
export const run = async (): Promise<Measure[]> => {
  execFileSync(
    join(root, 'node_modules/.bin/turbo'),
    ['run', 'build', '--filter=colophon', '--output-logs=errors-only'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    },
  );
  const folder = mkdtempSync(join(tmpdir(), 'start-up-'));
  const chat = join(folder, 'small.chat');
  writeFileSync(
    chat,
    'system: Be brief.\n\nuser:\n\nWhat is a colophon?\n\nassistant:\n\nThe note at the end of a book.\n',
  );
  const env = { PATH: process.env['PATH'], HOME: folder };
  const time = (words: string[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const start = process.hrtime.bigint();
      const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'ignore' });
      child.on('close', (status) => {
        if (status === 0) resolve(Number(process.hrtime.bigint() - start) / 1e6);
        else reject(new Error(`node ${words.join(' ')} ended with ${status}`));
      });
    });
  const subjects = [
    { what: 'node -e 0', words: ['-e', '0'], limit: null },
    { what: 'colophon --help', words: [cli, '--help'], limit: 1.5 },
    { what: 'colophon chat print small.chat', words: [cli, 'chat', 'print', chat], limit: 2 },
  ];
  const times = subjects.map((): number[] => []);
  for (const { words } of subjects) await time(words);
  // Taken in turns, so that a busy moment of the machine falls on all alike.
  for (let round = 0; round < rounds; round++) {
    for (const [index, { words }] of subjects.entries()) times[index]!.push(await time(words));
  }
  rmSync(folder, { recursive: true });
  const medians = times.map(median);
  return subjects.slice(1).map(({ what, limit }, index) => ({
    what,
    ratio: medians[index + 1]! / medians[0]!,
    limit,
    detail: `${medians[index + 1]!.toFixed(0)} ms against ${medians[0]!.toFixed(0)} ms of node -e 0, medians of ${rounds}`,
  }));
};
