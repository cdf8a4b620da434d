import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openKnowledgeBase } from '@colophon/tools/knowledge-base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { times } from './scale.js';

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const program = fileURLToPath(new URL('open-knowledge-base.ts', import.meta.url));
const sqlite = '.db.tsv.sqlite';
const nobody = 65_534;
const rows = 90_000;
const sources = 30_000;
const asked = ['source 7', 'source 199', 'nobody'];
let folder: string;
let expected: string[];

const table = (count: number): string =>
  `#Source\tTarget\tNote\n${Array.from({ length: count }, (_, index) => `source ${index % sources}\ttarget ${index}\tnote ${index}\n`).join('')}`;

const targets = (entity: number): string[] =>
  Array.from({ length: rows / sources }, (_, index) => `source ${entity}~target ${entity + index * sources}`).sort();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-faults-'));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'db.tsv'), table(rows));
  expected = [...targets(7), ...targets(199)];
});
afterAll(() => rm(folder, { recursive: true }));

const open = (place: string): ChildProcess =>
  spawn(process.execPath, ['-C', 'colophon-source', '--import', loader, program, place, ...asked], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const answer = async (place: string): Promise<string[]> => {
  const { databases, close } = await openKnowledgeBase(place);
  try {
    return await databases[0]!.pairs(asked);
  } finally {
    close();
  }
};

test('a build that is killed leaves nothing that is read; the next one is whole and clears up', async () => {
  const kills = times(40);
  let left = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const child = open(folder);
    const [first] = (await once(child.stderr!, 'data')) as [Buffer];
    expect(String(first)).toMatch(/^\d+ of \d+/);
    await new Promise((resolve) => setTimeout(resolve, (kill / kills) * 800));
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const after = (await readdir(folder)).filter((name) => name !== 'db.tsv');
    if (after.some((name) => name !== sqlite)) left += 1;

    expect(await answer(folder)).toEqual(expected);
    expect((await readdir(folder)).filter((name) => !after.includes(name) || name === sqlite)).toContain(sqlite);
    if (!after.includes(sqlite)) expect(await readdir(folder)).toEqual([sqlite, 'db.tsv']);
    for (const name of await readdir(folder)) if (name !== 'db.tsv') await rm(join(folder, name), { recursive: true });
  }
  expect(left).toBeGreaterThan(0);
});

test('processes that build at once all answer, and one file stays', async () => {
  for (let round = 0; round < times(10); round += 1) {
    const children = Array.from({ length: 4 }, () => open(folder));
    const answers = await Promise.all(children.map((child) => text(child.stdout!)));
    for (const given of answers) expect(JSON.parse(given)).toEqual(expected);
    expect(await readdir(folder)).toEqual([sqlite, 'db.tsv']);
    await rm(join(folder, sqlite));
  }
});

test('builds at once in one process do not clear each other away', async () => {
  const answers = await Promise.all([answer(folder), answer(folder), answer(folder)]);
  for (const given of answers) expect(given).toEqual(expected);
  expect(await readdir(folder)).toEqual([sqlite, 'db.tsv']);
  await rm(join(folder, sqlite));
});

test('a file that changes while it is read is read again; one that does not stop is told', async () => {
  const place = await mkdtemp(join(folder, 'changing-'));
  const file = join(place, 'db.tsv');
  const write = (count: number) => writeFile(file, table(count));
  await write(10);
  let changes = 0;
  const changing = (most: number) => () => {
    changes += 1;
    if (changes <= most) appendFileSync(file, `late ${changes}\ttarget\tnote\n`);
  };
  const { databases, close } = await openKnowledgeBase(place, { onProgress: changing(1) });
  expect(databases[0]!.count).toBe(11);
  expect(await databases[0]!.pairs(['late 1'])).toEqual(['late 1~target']);
  close();
  await rm(join(place, sqlite));
  await expect(openKnowledgeBase(place, { onProgress: changing(Number.POSITIVE_INFINITY) })).rejects.toMatchObject({
    code: 'kb_changing',
    message: expect.stringContaining('db.tsv changes while it is read'),
  });
  expect(await readdir(place)).toEqual(['db.tsv']);
});

/** Runs an action as a user to whom permissions apply: root may write everywhere. */
const asNobody = async <Result>(action: () => Promise<Result>): Promise<Result> => {
  if (process.getuid?.() !== 0) return action();
  process.seteuid?.(nobody);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
};

describe('a folder that may not be written', () => {
  test('is answered from the cache folder, or from nothing that lasts', async () => {
    const closed = await mkdtemp(join(folder, 'closed-'));
    const cacheFolder = join(folder, 'cache');
    await mkdir(cacheFolder);
    await chmod(cacheFolder, 0o777);
    await writeFile(join(closed, 'db.tsv'), table(100));
    await chmod(closed, 0o555);
    for (const options of [{}, { cacheFolder }, { cacheFolder }]) {
      await asNobody(async () => {
        const { databases, close } = await openKnowledgeBase(closed, options);
        expect(await databases[0]!.pairs(['source 7'])).toEqual(['source 7~target 7']);
        close();
      });
      expect(await readdir(closed)).toEqual(['db.tsv']);
    }
    expect(await readdir(cacheFolder)).toHaveLength(1);
  });

  test('is read where the database is there already', async () => {
    const closed = await mkdtemp(join(folder, 'ready-'));
    await writeFile(join(closed, 'db.tsv'), table(100));
    (await openKnowledgeBase(closed)).close();
    const before = await readFile(join(closed, sqlite));
    await chmod(closed, 0o555);
    await asNobody(async () => {
      const { databases, close } = await openKnowledgeBase(closed);
      expect(await databases[0]!.pairs(['source 7'])).toEqual(['source 7~target 7']);
      close();
    });
    expect(await readFile(join(closed, sqlite))).toEqual(before);
  });

  test('a TSV file that may not be read says so', async () => {
    const secret = await mkdtemp(join(folder, 'secret-'));
    await chmod(secret, 0o777);
    await writeFile(join(secret, 'db.tsv'), table(3), { mode: 0o600 });
    await expect(asNobody(() => openKnowledgeBase(secret))).rejects.toMatchObject({
      code: 'kb_file',
      message: expect.stringMatching(/db\.tsv can't be read: permission denied/),
    });
  });
});

const mayMount = () => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
};

// An empty database needs 20 KB: the disk is full in the middle of the rows, in that of the indices, or at the start.
describe.runIf(mayMount())('a full disk', () => {
  test.each([600, 200, 8])(
    'with %i KB left: says so, leaves nothing half built; with room it is built',
    async (left) => {
      const disk = await mkdtemp(join(folder, 'full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
      try {
        await writeFile(join(disk, 'db.tsv'), table(10_000));
        const { bavail, bsize } = await statfs(disk);
        await writeFile(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - left * 1024));
        await expect(openKnowledgeBase(disk)).rejects.toMatchObject({
          code: 'disk_full',
          message: expect.stringMatching(/db\.tsv can't be built at .*the disk is full/),
        });
        expect(await readdir(disk)).toEqual(['ballast', 'db.tsv']);
        await rm(join(disk, 'ballast'));
        expect(await answer(disk)).toEqual(['source 7~target 7', 'source 199~target 199']);
      } finally {
        // What was closed is released when its memory is collected.
        execFileSync('umount', ['--lazy', disk]);
      }
    },
  );
});
