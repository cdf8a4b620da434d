import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Chat, parseChat, printChat } from '@colophon/chat-format';
import {
  appendMessages,
  holdFile,
  loadChat,
  openAppender,
  save,
  withLock,
  write,
  writeAnswer,
  writeAtomically,
} from '@colophon/chat-format/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(at(name), 'utf8');
const user = (content: string) => ({ role: 'user', content });

describe('loading', () => {
  it('gives each message its place, and looks for bare names in the chats of the roots', async () => {
    mkdirSync(at('second/chats'), { recursive: true });
    writeFileSync(at('second/chats/hello'), '\nuser:\n\nhi\n');
    const file = at('second/chats/hello');
    expect(await loadChat('hello', { roots: [at('first'), at('second')] })).toEqual([
      { role: 'user', content: 'hi', at: { file, line: 2 } },
    ]);
    await expect(loadChat('hello', { roots: [at('first')] })).rejects.toMatchObject({
      code: 'file_missing',
      message: expect.stringContaining(`hello or ${at('first/chats/hello')}`),
    });
  });

  it('takes no other encoding than UTF-8, and says where it stops being that', async () => {
    writeFileSync(at('a.chat'), Buffer.from('user: café\nuser: caf\xe9 au lait\n', 'latin1'));
    writeFileSync(at('b.chat'), Buffer.concat([Buffer.from('user: é\nuser: '), Buffer.from([0xff, 0x41])]));
    await expect(loadChat(at('a.chat'))).rejects.toMatchObject({
      code: 'file_encoding',
      message: expect.stringMatching(/a\.chat:1: byte 9 /),
    });
    await expect(loadChat(at('b.chat'))).rejects.toMatchObject({
      message: expect.stringMatching(/b\.chat:2: byte 15 /),
    });
    const before = readFileSync(at('a.chat'));
    await expect(appendMessages(at('a.chat'), [user('x')])).rejects.toMatchObject({ code: 'file_encoding' });
    expect(readFileSync(at('a.chat'))).toEqual(before);
  });

  it('reads a file whose last character was cut off', async () => {
    for (const character of ['é', '数', '😀']) {
      const bytes = Buffer.from(character);
      for (let length = 1; length < bytes.length; length += 1) {
        writeFileSync(at('a.chat'), Buffer.concat([Buffer.from('user: a'), bytes.subarray(0, length)]));
        expect((await loadChat(at('a.chat')))[0]?.content).toBe('a\ufffd');
      }
    }
  });

  it('says that a file is too long for a text', async () => {
    for (const size of [1_700_000_000, 2_200_000_000]) {
      writeFileSync(at('long.chat'), '');
      truncateSync(at('long.chat'), size);
      for (const action of [() => loadChat(at('long.chat')), () => appendMessages(at('long.chat'), [user('x')])]) {
        await expect(action()).rejects.toMatchObject({
          code: 'too_long',
          message: expect.stringContaining('long.chat is too long'),
        });
      }
      expect(statSync(at('long.chat')).size).toBe(size);
    }
  });
});

describe('writing', () => {
  const chat: Chat = [
    user('q'),
    { role: 'assistant', content: 'a\nb' },
    { role: 'previous_response_id', content: 'r1' },
  ];

  it('saves the stored messages, the compiled ones, or the answer alone', async () => {
    expect(await save(chat, at('a.chat'))).toEqual({ written: true, path: at('a.chat') });
    expect(text('a.chat')).toBe(`${printChat(chat)}\n`);
    await write(chat, at('b.chat'), { compile: async (given) => given.filter(({ role }) => role === 'user') });
    expect(parseChat(text('b.chat'))).toEqual([user('q')]);
    await writeAnswer(chat, at('c.txt'));
    expect(text('c.txt')).toBe('a\nb');
    await expect(writeAnswer(chat.slice(2), at('d.txt'))).rejects.toMatchObject({ code: 'no_answer' });
    expect(readdirSync(folder).sort()).toEqual(['a.chat', 'b.chat', 'c.txt']);
  });

  it('leaves a file that exists as it is where it may not be replaced, and says so', async () => {
    writeFileSync(at('a.chat'), 'before');
    for (const action of [save, writeAnswer]) {
      expect(await action(chat, at('a.chat'), { force: false })).toEqual({ written: false, path: at('a.chat') });
    }
    const compile = () => Promise.reject(new Error('not needed'));
    expect(await write(chat, at('a.chat'), { force: false, compile })).toEqual({ written: false, path: at('a.chat') });
    expect(text('a.chat')).toBe('before');
    expect(await save(chat, at('new.chat'), { force: false })).toMatchObject({ written: true });
    const twice = await Promise.all([
      save(chat, at('race.chat'), { force: false }),
      save(chat, at('race.chat'), { force: false }),
    ]);
    expect(twice.map(({ written }) => written).sort()).toEqual([false, true]);
  });

  it('writes a bare name of no file to the chats of the first root', async () => {
    const name = `colophon-test-${process.pid}`;
    const place = at(`chats/${name}`);
    expect(await save(chat, name, { roots: [folder] })).toEqual({ written: true, path: place });
    await appendMessages(name, [user('more')], { roots: [folder] });
    expect((await loadChat(name, { roots: [folder] })).at(-1)?.content).toBe('more');
  });

  it('keeps the mode of the file it replaces, and follows links', async () => {
    writeFileSync(at('real.chat'), 'x', { mode: 0o640 });
    mkdirSync(at('links'));
    symlinkSync('../real.chat', at('links/one.chat'));
    symlinkSync('one.chat', at('links/two.chat'));
    await save(chat, at('links/two.chat'));
    expect(text('real.chat')).toBe(`${printChat(chat)}\n`);
    expect(statSync(at('real.chat')).mode & 0o777).toBe(0o640);

    symlinkSync(at('later/new.chat'), at('links/dangling.chat'));
    await save(chat, at('links/dangling.chat'));
    await appendMessages(at('links/dangling.chat'), [user('x')]);
    expect(await loadChat(at('later/new.chat'))).toHaveLength(4);
    symlinkSync(at('links/circle.chat'), at('links/circle.chat'));
    await expect(save(chat, at('links/circle.chat'))).rejects.toMatchObject({ code: 'file_failed' });
  });

  it('writes nothing where a content can not be written', async () => {
    await expect(save([user('\ud800')], at('a.chat'))).rejects.toMatchObject({ code: 'bad_content' });
    await expect(appendMessages(at('a.chat'), [{ role: 'Bad', content: '' }])).rejects.toMatchObject({
      code: 'bad_role',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says what stands in the way', async () => {
    mkdirSync(at('folder'));
    writeFileSync(at('file'), '');
    for (const action of [
      (path: string) => save(chat, path),
      (path: string) => appendMessages(path, chat),
      (path: string) => writeAtomically(path, 'x'),
    ]) {
      await expect(action(at('folder'))).rejects.toMatchObject({
        code: 'file_directory',
        facts: { path: at('folder') },
      });
      await expect(action(at('file/a.chat'))).rejects.toMatchObject({ code: 'file_directory' });
    }
    expect(readdirSync(folder).sort()).toEqual(['file', 'folder']);
  });
});

describe('appending', () => {
  it('adds text that reads as one file made at once', async () => {
    const appender = await openAppender(at('a.chat'));
    await appender.append([user('one')]);
    await appender.append([]);
    await appender.append([{ role: 'assistant', content: 'two' }, user('user: three')]);
    expect(text('a.chat')).toBe(
      `${printChat([user('one'), { role: 'assistant', content: 'two' }, user('user: three')])}\n`,
    );
  });

  it('keeps the order in which it was asked, also when one of them fails', async () => {
    const appender = await openAppender(at('a.chat'));
    const tries = Array.from({ length: 20 }, (_, index) =>
      appender.append([{ role: index === 7 ? 'Bad' : 'user', content: `${index}` }]),
    );
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(parseChat(text('a.chat')).map(({ content }) => Number(content))).toEqual(
      Array.from({ length: 20 }, (_, index) => index).filter((index) => index !== 7),
    );
  });

  it('reads a file again when another program changed it', async () => {
    const appender = await openAppender(at('a.chat'));
    await appender.append([user('one')]);
    writeFileSync(at('a.chat'), 'user: another\n```\n');
    await appender.append([user('```\nx\n```')]);
    expect(parseChat(text('a.chat')).map(({ content }) => content)).toEqual(['another', '```', '```\nx\n```']);
    writeFileSync(at('a.chat'), Buffer.from([0x61, 0xff, 0x0a]));
    await expect(appender.append([user('two')])).rejects.toMatchObject({ code: 'file_encoding' });
  });

  it('rewrites a file only where an open block would swallow what is new', async () => {
    writeFileSync(at('a.chat'), 'user:\n```js\nopen\n');
    const appender = await openAppender(at('a.chat'));
    await appender.append([{ role: 'assistant', content: 'fine' }]);
    expect(text('a.chat')).toBe('user:\n```js\nopen\n\nassistant:\n\nfine\n');
    await appender.append([{ role: 'assistant', content: '```\nx\n```' }]);
    expect(text('a.chat')).toBe('\nuser:\n\n\\```js\nopen\n\nassistant:\n\nfine\n\nassistant:\n\n```\nx\n```\n');
  });

  it('keeps a line that was cut off, and begins a new one', async () => {
    writeFileSync(at('a.chat'), 'user: hi\nfunction_call: {"na');
    await appendMessages(at('a.chat'), [user('on')]);
    expect(text('a.chat')).toBe('user: hi\nfunction_call: {"na\n\nuser:\n\non\n');
  });

  it('keeps to the line ends of the file', async () => {
    writeFileSync(at('a.chat'), 'user:\r\n\r\nhi\r\nthere\r\n');
    await appendMessages(at('a.chat'), [user('a\r\nb')]);
    expect(text('a.chat')).toBe('user:\r\n\r\nhi\r\nthere\r\n\r\nuser:\r\n\r\na\r\r\nb\r\n');
    expect(parseChat(text('a.chat'))).toEqual([user('hi\nthere'), user('a\r\nb')]);
  });
});

/** Runs a program that imports the package, and gives it once it has said something. */
const child = async (code: string) => {
  const started = spawn(
    process.execPath,
    ['--import', 'tsx', '-C', 'colophon-source', '--input-type=module', '-e', code],
    {
      cwd: new URL('.', import.meta.url).pathname,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(started.stdout, 'data');
  return {
    pid: started.pid!,
    async kill() {
      const exit = once(started, 'exit');
      started.kill('SIGKILL');
      await exit;
    },
  };
};

const forever = 'setInterval(() => {}, 1000); console.log("ready");';

describe('locks', () => {
  it('let one action run at a time, by whatever path it comes', async () => {
    writeFileSync(at('a.chat'), '');
    symlinkSync('a.chat', at('link.chat'));
    symlinkSync(folder, at('here'));
    const events: string[] = [];
    const action = (name: string) => async () => {
      events.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} out`);
    };
    await Promise.all(['a.chat', 'link.chat', 'here/link.chat'].map((name) => withLock(at(name), action(name))));
    for (let index = 0; index < events.length; index += 2) {
      expect(events[index + 1]).toBe(events[index]!.replace(' in', ' out'));
    }
    expect(readdirSync(folder).sort()).toEqual(['a.chat', 'here', 'link.chat']);
  });

  it('are given back when the action fails', async () => {
    await expect(withLock(at('a.chat'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(at('a.chat'), async (target) => target)).toContain('a.chat');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a dead process are taken over', async () => {
    const other = await child(
      `import { withLock } from '@colophon/chat-format/node'; await withLock(${JSON.stringify(at('a.chat'))}, () => { ${forever} return new Promise(() => {}); });`,
    );
    await other.kill();
    expect(readdirSync(folder)).toEqual(['.a.chat.lock']);
    await appendMessages(at('a.chat'), [user('hi')]);
    expect(readdirSync(folder)).toEqual(['a.chat']);
  });
});

describe('holding a chat', () => {
  it('keeps a second run away and tells it who holds the chat, by whatever path', async () => {
    writeFileSync(at('a.chat'), '');
    symlinkSync('a.chat', at('link.chat'));
    const hold = await holdFile(at('a.chat'), { label: 'colophon ask' });
    await expect(holdFile(at('link.chat'))).rejects.toMatchObject({
      code: 'held',
      message: expect.stringMatching(
        new RegExp(`link.chat is held by "colophon ask" \\(process ${process.pid} on .*, since 20`),
      ),
      facts: {
        pid: process.pid,
        label: 'colophon ask',
        since: expect.stringMatching(/^\d{4}-/),
        host: expect.any(String),
      },
    });
    await appendMessages(at('a.chat'), [user('writers may write')]);
    await hold.release();
    await hold.release();
    await (await holdFile(at('link.chat'))).release();
    expect(readdirSync(folder).sort()).toEqual(['a.chat', 'link.chat']);
  });

  it('lasts as long as the process that holds it, and no longer', async () => {
    const other = await child(
      `import { holdFile } from '@colophon/chat-format/node'; await holdFile(${JSON.stringify(at('a.chat'))}); ${forever}`,
    );
    await expect(holdFile(at('a.chat'))).rejects.toMatchObject({ code: 'held', facts: { pid: other.pid } });
    await other.kill();
    expect(readdirSync(folder)).toEqual(['.a.chat.hold']);
    await (await holdFile(at('a.chat'))).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not taken for that of a later process with the same number, nor of another machine while that renews it', async () => {
    const owner = { pid: process.pid, host: 'elsewhere', since: '2026-01-01T00:00:00.000Z' };
    writeFileSync(at('.a.chat.hold'), JSON.stringify(owner));
    await expect(holdFile(at('a.chat'))).rejects.toMatchObject({ code: 'held', facts: { host: 'elsewhere' } });
    utimesSync(at('.a.chat.hold'), 1, 1);
    const hold = await holdFile(at('a.chat'));
    const record = JSON.parse(text('.a.chat.hold'));
    await hold.release();
    if (record.started === undefined) return;
    writeFileSync(at('.a.chat.hold'), JSON.stringify({ ...record, started: '1' }));
    await (await holdFile(at('a.chat'))).release();
    writeFileSync(at('.a.chat.hold'), 'nonsense');
    await (await holdFile(at('a.chat'))).release();
  });
});
