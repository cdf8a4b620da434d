import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Chat } from '@colophon/chat-format';
import { ColophonError } from '@colophon/chat-format';
import { type InboxWarning, inboxPaths, preparePrompt, type StrategyContext } from '@colophon/prompt-strategies';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, output, pairFaults, user } from './chats.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inbox-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (files: Record<string, string | Buffer>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
};
const names = (folder: string): string[] | null =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).sort() : null;
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const deliver = async (context: StrategyContext = {}, chat: Chat = [user('question')], saveFile = 'x.chat') => {
  const told: string[] = [];
  const warnings: InboxWarning[] = [];
  const { chat: prompt, boundaries } = await preparePrompt(chat, 'inbox', {
    saveFile: join(root, saveFile),
    onInbox: (notes) => told.push(...notes),
    onWarning: (warning) => warnings.push(warning),
    ...context,
  });
  return { prompt, boundaries, notes: prompt.slice(chat.length).map(({ content }) => content), told, warnings };
};

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'not aborted',
    (error: unknown) => (error instanceof ColophonError && error.code === 'aborted' ? error.facts['reason'] : error),
  );

test('the paths stand beside the chat: the last extension is taken off for the inbox, `.chat` for the jobs', () => {
  expect(inboxPaths('/d/a.b.chat')).toEqual({
    inbox: '/d/a.b.inbox',
    removed: '/d/a.b.inbox_removed',
    jobs: '/d/a.b.jobs',
  });
  expect(inboxPaths('/d.x/scribe')).toEqual({
    inbox: '/d.x/scribe.inbox',
    removed: '/d.x/scribe.inbox_removed',
    jobs: '/d.x/scribe.jobs',
  });
  expect(inboxPaths('notes.txt')).toEqual({
    inbox: 'notes.inbox',
    removed: 'notes.inbox_removed',
    jobs: 'notes.txt.jobs',
  });
});

describe('notes', () => {
  test('are delivered once, behind the prompt, in the order of their names, and told by name and digest', async () => {
    put({ 'x.inbox/b.md': 'second', 'x.inbox/a.md': 'first', 'x.inbox/10.md': 'ten' });
    utimesSync(join(root, 'x.inbox/a.md'), 1_700_000_000, 1_700_000_000);
    const digest = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 12);
    const { notes, told, boundaries } = await deliver();
    expect(notes).toEqual(['ten', 'first', 'second']);
    expect(told).toEqual([`10.md:${digest('ten')}`, `a.md:${digest('first')}`, `b.md:${digest('second')}`]);
    expect(boundaries).toEqual([1]);
    expect([names('x.inbox'), names('x.inbox_removed')]).toEqual([[], ['10.md', 'a.md', 'b.md']]);
    expect(statSync(join(root, 'x.inbox_removed/a.md')).mtimeMs).toBe(1_700_000_000_000);
    expect((await deliver()).notes).toEqual([]);
  });

  test('stand behind the outputs of a group, also where one is missing', async () => {
    put({ 'x.inbox/a.md': 'wait' });
    const { prompt } = await deliver({}, [user('q'), call('a'), call('b'), output('b')]);
    expect(pairFaults(prompt)).toEqual([]);
    expect(prompt.at(-1)?.content).toBe('wait');
  });

  test('that lie there already get a number before the extension', async () => {
    put({
      'x.inbox/a.md': 'new',
      'x.inbox/b': 'plain',
      'x.inbox_removed/a.md': 'old',
      'x.inbox_removed/a.1.md': 'older',
      'x.inbox_removed/b': 'old',
    });
    const { told } = await deliver();
    expect(told.map((name) => name.split(':')[0])).toEqual(['a.2.md', 'b.1']);
    expect(['a.md', 'a.1.md', 'a.2.md', 'b', 'b.1'].map((name) => text(`x.inbox_removed/${name}`))).toEqual([
      'old',
      'older',
      'new',
      'old',
      'plain',
    ]);
  });

  test('are read from the inbox of the chat first, then from that of its transcript, whichever is saved to', async () => {
    for (const saveFile of ['x.chat', 'x.chat.files/agent.chat']) {
      put({
        'x.chat.files/agent.chat': 'user: hi\n',
        'x.inbox/z.md': 'to the chat',
        'x.chat.files/agent.inbox/a.md': 'to the transcript',
      });
      expect((await deliver({}, [user('q')], saveFile)).notes).toEqual(['to the chat', 'to the transcript']);
      rmSync(join(root, 'x.inbox_removed'), { recursive: true });
    }
  });

  test('need no folder: none is made by looking', async () => {
    expect((await deliver()).notes).toEqual([]);
    put({ 'x.inbox/.hidden': 'no', 'x.inbox/sub/y.md': 'no' });
    expect((await deliver()).notes).toEqual([]);
    expect(names('.')).toEqual(['x.inbox']);
    expect((await deliver({ saveFile: join(root, 'x.inbox/.hidden/none.chat') })).notes).toEqual([]);
    const { chat } = await preparePrompt([user('q')], 'inbox');
    expect(chat).toEqual([user('q')]);
  });
});

describe('a bad note stays, and the others are delivered', () => {
  test('a folder, a link, a socket, binary data', async () => {
    put({
      'x.inbox/a.md': 'first',
      'x.inbox/binary': Buffer.from([0x89, 0, 1, 2]),
      'x.inbox/dir/a': '',
      secret: 'no',
      'x.inbox/z.md': 'last',
    });
    symlinkSync(join(root, 'secret'), join(root, 'x.inbox/link.md'));
    symlinkSync(join(root, 'nowhere'), join(root, 'x.inbox/dangling.md'));
    const server = createServer().listen(join(root, 'x.inbox/socket'));
    await once(server, 'listening');
    const { notes, warnings } = await deliver();
    expect(notes).toEqual(['first', 'last']);
    expect(names('x.inbox')).toEqual(['binary', 'dangling.md', 'dir', 'link.md', 'socket']);
    expect(warnings.map(({ code, path }) => `${code} ${path.split('/').at(-1)}`).sort()).toEqual([
      'note_binary binary',
      'note_not_a_file dangling.md',
      'note_not_a_file link.md',
      'note_not_a_file socket',
    ]);
    server.close();
  });

  test.skipIf(process.getuid?.() === 0)('one that may not be read', async () => {
    put({ 'x.inbox/a.md': 'first', 'x.inbox/closed.md': 'no', 'x.inbox/z.md': 'last' });
    chmodSync(join(root, 'x.inbox/closed.md'), 0);
    const { notes, warnings } = await deliver();
    expect([notes, names('x.inbox'), warnings.map(({ code }) => code)]).toEqual([
      ['first', 'last'],
      ['closed.md'],
      ['note_unreadable'],
    ]);
  });

  test.skipIf(process.getuid?.() === 0)('an inbox that may not be read', async () => {
    put({ 'x.inbox/a.md': 'first' });
    chmodSync(join(root, 'x.inbox'), 0);
    const { notes, warnings } = await deliver();
    chmodSync(join(root, 'x.inbox'), 0o755);
    expect([notes, warnings.map(({ code }) => code)]).toEqual([[], ['inbox_unreadable']]);
  });

  test('an empty one, which its writer may be about to fill', async () => {
    put({ 'x.inbox/a.md': '' });
    const { notes, warnings } = await deliver();
    expect([notes, names('x.inbox'), warnings.map(({ code }) => code)]).toEqual([[], ['a.md'], ['note_empty']]);
    put({ 'x.inbox/a.md': 'filled' });
    expect((await deliver()).notes).toEqual(['filled']);
  });

  test('one that has nowhere to go', async () => {
    put({ 'x.inbox/a.md': 'first', 'x.inbox_removed': 'a file where the folder should be' });
    const { notes, warnings } = await deliver();
    expect([notes, names('x.inbox'), warnings.map(({ code }) => code)]).toEqual([[], ['a.md'], ['note_immovable']]);
  });

  test('one of 50 MB is delivered in part, with a line that says so; one in another encoding as far as it is text', async () => {
    put({
      'x.inbox/a.md': `x${'🙂'.repeat(12_500_000)}`,
      'x.inbox/latin.md': Buffer.from('caf\xe9', 'latin1'),
      'x.inbox/z.md': ' \n',
    });
    const { notes } = await deliver();
    expect(notes[0]?.length).toBeLessThan(100_300);
    expect(notes[0]?.isWellFormed()).toBe(true);
    expect(notes[0]).toMatch(
      /🙂\n\[The note has 50000001 bytes; these are its first 99999 characters\. The whole is in .*x\.inbox_removed\/a\.md\.\]$/,
    );
    expect(notes.slice(1)).toEqual(['caf\ufffd', '[The note z.md holds white space only.]']);
    expect(statSync(join(root, 'x.inbox_removed/a.md')).size).toBe(50_000_001);
  });
});

describe('a note `abort`', () => {
  test('ends the inference with its text as the reason, before anything else is touched', async () => {
    put({ 'x.inbox/a.md': 'first', 'x.inbox/abort': ' stop here \n', 'x.inbox/z.md': 'last' });
    expect(await reasonOf(deliver())).toBe('stop here');
    expect([names('x.inbox'), names('x.inbox_removed')]).toEqual([['a.md', 'z.md'], ['abort']]);
    expect((await deliver()).notes).toEqual(['first', 'last']);
  });

  test('is an abort again where an older one was consumed', async () => {
    put({ 'x.inbox/abort': 'again', 'x.inbox_removed/abort': 'once' });
    expect(await reasonOf(deliver())).toBe('again');
    expect(names('x.inbox_removed')).toEqual(['abort', 'abort.1']);
  });

  test('counts in either inbox, and needs no text', async () => {
    put({ 'x.chat.files/agent.chat': '', 'x.chat.files/agent.inbox/abort': '', 'x.inbox/a.md': 'waits' });
    expect(await reasonOf(deliver())).toMatch(/^Inbox abort: .*gives no reason/);
    expect([names('x.inbox'), names('x.inbox_removed')]).toEqual([['a.md'], null]);
  });

  test('aborts also where it cannot be moved, but not as a folder or a link', async () => {
    put({ 'x.inbox/abort/sub': '', 'x.inbox/a.md': 'first' });
    expect((await deliver()).notes).toEqual(['first']);
    put({ 'y.inbox/abort': 'now', 'y.inbox_removed': 'a file' });
    expect(await reasonOf(deliver({}, [user('q')], 'y.chat'))).toMatch(
      /^Inbox abort: .* stays in place, it cannot be moved/,
    );
  });
});

test('several readers and a writer: each note is delivered to one of them, whole', async () => {
  mkdirSync(join(root, 'x.inbox'));
  const total = 200;
  let written = 0;
  const writer = setInterval(() => {
    for (let n = 0; n < 10 && written < total; n++, written++) put({ [`x.inbox/.${written}`]: `note ${written}` });
    for (const name of readdirSync(join(root, 'x.inbox'))) {
      if (name.startsWith('.')) renameSync(join(root, 'x.inbox', name), join(root, 'x.inbox', `${name.slice(1)}.md`));
    }
  }, 1);
  const delivered: string[] = [];
  const read = async (): Promise<void> => {
    while (delivered.length < total) delivered.push(...(await deliver()).notes);
  };
  await Promise.all([read(), read(), read()]);
  clearInterval(writer);
  expect(delivered.sort()).toEqual(Array.from({ length: total }, (_, n) => `note ${n}`).sort());
  expect(names('x.inbox_removed')?.length).toBe(total);
});
