import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chat } from '@colophon/chat-format';
import { appendMessages, loadChat, openAppender, save } from '@colophon/chat-format/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const question: Chat = [{ role: 'user', content: 'How deep is the harbour?' }];
const nobody = 65_534;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disk-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

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
  test.each([
    ['append to', (file: string) => appendMessages(file, question)],
    ['write', (file: string) => save(question, file)],
  ])('%s: says which file, and leaves it as it was', async (_, action) => {
    const closed = await mkdtemp(join(folder, 'closed-'));
    const file = join(closed, 'a.chat');
    await writeFile(file, 'user: before\n');
    await chmod(closed, 0o555);

    await expect(asNobody<unknown>(() => action(file))).rejects.toMatchObject({
      code: 'file_access',
      message: expect.stringMatching(/a\.chat.*permission denied/s),
    });
    expect(await readFile(file, 'utf8')).toBe('user: before\n');
    expect(await readdir(closed)).toEqual(['a.chat']);
  });
});

test('a file that may not be read says so', async () => {
  const file = join(folder, 'secret.chat');
  await writeFile(file, 'user: before\n', { mode: 0o600 });
  await expect(asNobody(() => loadChat(file))).rejects.toMatchObject({ code: 'file_access' });
});

test('a directory in place of a file says so', async () => {
  const place = join(folder, 'directory.chat');
  await mkdir(place);
  for (const action of [() => loadChat(place), () => appendMessages(place, question), () => save(question, place)])
    await expect(action()).rejects.toMatchObject({ code: 'file_directory', message: expect.stringContaining(place) });
});

const mayMount = () => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
};

describe.runIf(mayMount())('a full disk', () => {
  let disk: string;
  beforeAll(async () => {
    disk = join(folder, 'full');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  });
  afterAll(() => execFileSync('umount', [disk]));

  test('what was appended before it filled up is there, and nothing half', async () => {
    const file = join(disk, 'log.chat');
    const appender = await openAppender(file);
    const stored: Chat = [];
    const fill = async () => {
      for (let index = 0; index < 100; index++) {
        const message = { role: 'user', content: `${index} ${'x'.repeat(3_000)}` };
        await appender.append([message]);
        stored.push(message);
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'disk_full', message: expect.stringContaining('log.chat') });

    const read = async () => (await loadChat(file)).map(({ role, content }) => ({ role, content }));
    expect(stored.length).toBeGreaterThan(5);
    expect(await read()).toEqual(stored);

    const before = await readFile(file);
    await expect(save([{ role: 'user', content: 'y'.repeat(60_000) }], file)).rejects.toMatchObject({
      code: 'disk_full',
    });
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(disk)).toEqual(['log.chat']);

    await rm(file);
    await appender.append(question);
    expect(await read()).toEqual(question);
  });
});

test('a device that is full says so, and stays a device', async () => {
  await expect(save(question, '/dev/full')).rejects.toMatchObject({ code: 'disk_full' });
  expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
});
