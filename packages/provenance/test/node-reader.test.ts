import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { buildGraph, type Graph, type Reader, tokenEvents, tokenTotals } from '@colophon/provenance';
import { type NodeReaderOptions, nodeReader } from '@colophon/provenance/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { receiptText } from './sessions.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'provenance-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

const write = (files: Record<string, string | Uint8Array>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  }
};

const record = (id: string): string => `meta: pt=2 ct=1 tt=3 inference_id=${id}\nassistant: Said.\n`;

/** A root chat, and so many jobs with a log each. */
const writeSession = (jobs: number): void => {
  const names = Array.from({ length: jobs }, (_, number) => `var/jobs/Tide/ask/job${number}`);
  write({ 'root.chat': `user: Go.\n${names.map((name) => `meta: job=${at(name)}\n`).join('')}${record('root')}` });
  for (const [number, name] of names.entries())
    write({
      [name]: 'answer',
      [`${name}.info`]: JSON.stringify({ status: 'done', type: 'string' }),
      [`${name}.files/agent.chat`]: `user: Do.\n${record(`job${number}`)}`,
    });
};

const read = async (options: NodeReaderOptions = {}, reader = nodeReader(options)) => {
  const graph = await buildGraph(at('root.chat'), { reader });
  const { events } = tokenEvents(graph);
  return { graph, events, total: tokenTotals(events).tt, statistics: reader.statistics };
};

const codes = ({ warnings }: Graph): string[] => warnings.map(({ code }) => code);

/** Files are old enough to be trusted. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 120));

describe('each file', () => {
  test('is read once, however many edges lead to it, and once for all traversals while it stays', async () => {
    writeSession(5);
    appendFileSync(
      at('root.chat'),
      `\n${receiptText('k', [{ job: at('var/jobs/Tide/ask/job0') }, { job: 'Tide/ask/job0' }])}`,
    );
    const reader = nodeReader({ roots: [folder] });
    const first = await read({}, reader);
    expect(first.graph.edges.filter(({ to }) => to.endsWith('job0'))).toHaveLength(3);
    expect(reader.statistics.filesRead).toBe(1 + 5 + 5);
    await read({}, reader);
    expect(reader.statistics.filesRead).toBe(11);
    appendFileSync(at('root.chat'), `\n${record('more')}`);
    const last = await read({}, reader);
    expect(reader.statistics.filesRead).toBe(12);
    expect(last.total).toBe(first.total + 3);
  });
});

describe('an index', () => {
  const index = () => ({ index: at('cache/facts') });

  test('lets a second run read only what changed', async () => {
    writeSession(20);
    await settle();
    const first = await read(index());
    expect(first.statistics).toMatchObject({ filesRead: 41, fromIndex: 0 });
    appendFileSync(at('var/jobs/Tide/ask/job7.files/agent.chat'), `user: Again.\n${record('grown')}`);
    await settle();
    const second = await read(index());
    expect(second.statistics).toMatchObject({ filesRead: 1, fromIndex: 40 });
    expect(second.total).toBe(first.total + 3);
    const third = await read(index());
    expect(third.statistics).toMatchObject({ filesRead: 0, fromIndex: 41 });
    expect(third.graph).toEqual(second.graph);
    expect(third.graph).toEqual((await read()).graph);
  });

  test('is not trusted for a file that was replaced by one of the same size and time', async () => {
    writeSession(1);
    await settle();
    await read(index());
    const path = at('root.chat');
    const other = readFileSync(path, 'utf8').replace('pt=2', 'pt=9');
    execFileSync('cp', ['-p', path, `${path}.kept`]);
    unlinkSync(path);
    writeFileSync(path, other);
    execFileSync('touch', ['-r', `${path}.kept`, path]);
    await settle();
    expect(tokenTotals((await read(index())).events).pt).toBe(11);
  });

  test.each([
    ['a value changed', (text: string) => text.replaceAll('"pt":2', '"pt":7')],
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['no index', () => 'user: hello\n'],
    ['another version', (text: string) => text.replace('facts 1', 'facts 0')],
    ['empty', () => ''],
  ])('that is damaged (%s) is made again', async (name, damage) => {
    writeSession(4);
    await settle();
    const first = await read(index());
    const cache = at('cache/facts');
    for (const file of readdirSync(cache))
      writeFileSync(join(cache, file), damage(readFileSync(join(cache, file), 'utf8')));
    const second = await read(index());
    expect(second.total).toBe(first.total);
    expect(codes(second.graph).includes('damaged_index')).toBe(name !== 'cut off');
    const third = await read(index());
    expect(third.statistics.filesRead).toBe(0);
    expect(codes(third.graph)).toEqual([]);
  });

  test('is shared by two readers at once, and is no trouble where it cannot be written', async () => {
    writeSession(10);
    await settle();
    const [one, other] = await Promise.all([read(index()), read(index())]);
    expect(one.graph).toEqual(other.graph);
    expect((await read(index())).statistics.filesRead).toBe(0);
    writeFileSync(at('blocked'), '');
    const blocked = await read({ index: at('blocked/facts') });
    expect(blocked.total).toBe(one.total);
    expect(codes(blocked.graph)).toContain('damaged_index');
  });

  test('keeps what the caller extracts, by its name', async () => {
    writeSession(1);
    await settle();
    const options = {
      ...index(),
      extract: { name: 'roles 1', from: (chat: { role: string }[]) => chat.map(({ role }) => role) },
    };
    await read(options);
    const { graph, statistics } = await read(options);
    expect(statistics.filesRead).toBe(0);
    expect(graph.root.kind === 'chat' && graph.root.facts.extra).toEqual(['user', 'meta', 'meta', 'assistant']);
    expect((await read(index())).graph.root.facts).not.toHaveProperty('extra');
  });
});

describe('damage', () => {
  test('files that vanish between being listed and being read are told and left out', async () => {
    writeSession(3);
    const reader = nodeReader();
    const chat: Reader['chat'] = async (path) => {
      if (path.includes('job1.files')) unlinkSync(path);
      return reader.chat(path);
    };
    const { graph, total } = await read({}, { ...reader, chat });
    expect(codes(graph)).toEqual(['vanished']);
    expect(total).toBe(9);
  });

  test('pipes, folders and devices in the place of chats are told, not waited for', async () => {
    writeSession(1);
    const files = at('var/jobs/Tide/ask/job0.files');
    execFileSync('mkfifo', [join(files, 'pipe.chat')]);
    execFileSync('mkfifo', [at('var/jobs/Tide/ask/job0.info.new')]);
    symlinkSync('/dev/null', join(files, 'device.chat'));
    mkdirSync(join(files, 'folder.chat'));
    const { graph, total } = await read();
    expect(codes(graph).sort()).toEqual(['link_outside', 'unreadable']);
    expect(total).toBe(6);
  });

  test('files and folders that may not be read are told', async () => {
    writeSession(2);
    const asRoot = process.geteuid?.() === 0;
    execFileSync('chmod', ['755', folder]);
    execFileSync('chmod', ['000', at('var/jobs/Tide/ask/job0.files'), at('var/jobs/Tide/ask/job1.files/agent.chat')]);
    if (asRoot) process.seteuid?.(65_534);
    try {
      const { graph, total } = await read();
      expect(codes(graph)).toEqual(['unreadable', 'unreadable']);
      expect(total).toBe(3);
    } finally {
      if (asRoot) process.seteuid?.(0);
      execFileSync('chmod', ['755', at('var/jobs/Tide/ask/job0.files')]);
    }
  });

  test('a chat that grows and is replaced while it is read again and again is never trouble, nor loses what it had', async () => {
    writeSession(2);
    const path = at('var/jobs/Tide/ask/job0.files/agent.chat');
    const script = `
      const fs = require('node:fs'); let n = 0; let text = fs.readFileSync(${JSON.stringify(path)}, 'utf8');
      const end = Date.now() + 1500;
      while (Date.now() < end) {
        const more = 'user: More.\\nmeta: pt=2 ct=1 tt=3 inference_id=n' + n++ + '\\nassistant: ' + 'x'.repeat(2000) + '\\n';
        text += more;
        if (n % 20 === 0) { fs.writeFileSync(${JSON.stringify(path)} + '.new', text); fs.renameSync(${JSON.stringify(path)} + '.new', ${JSON.stringify(path)}); }
        else fs.appendFileSync(${JSON.stringify(path)}, more);
      }`;
    const writer = spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
    const ended = new Promise((resolve) => writer.on('exit', resolve));
    let running = true;
    void ended.then(() => {
      running = false;
    });
    let most = 0;
    while (running) {
      const { graph, events } = await read();
      expect(codes(graph).filter((code) => code !== 'changed_while_read' && code !== 'torn_message')).toEqual([]);
      expect(events.length).toBeGreaterThanOrEqual(most);
      most = events.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await read()).events.length).toBeGreaterThan(3);
  });

  test('a message of 30 MB, a chat of a million lines, a receipt of 5,000 entries', async () => {
    const entries = Array.from({ length: 5000 }, (_, number) => ({ pt: 1, tt: 1, inference_id: `e${number}` }));
    write({
      'root.chat': `user: ${'long '.repeat(6_000_000)}\n${record('root')}${receiptText('k', entries)}`,
      'root.chat.files/agent.chat': `user:\n\n${'line\n'.repeat(1_000_000)}\n${record('agent')}`,
    });
    const { graph, events } = await read();
    expect(codes(graph)).toEqual([]);
    expect(events).toHaveLength(5002);
    expect(JSON.stringify(graph).length).toBeLessThan(1_500_000);
  });
});

test('messages of a chat are there for whoever wants them, with half a file as with a whole one', async () => {
  write({ 'root.chat': Buffer.from('user: caf\xe9\nassistant: Yes', 'latin1') });
  const reader = nodeReader();
  expect((await reader.messages(at('root.chat')))?.map(({ content }) => content)).toEqual(['caf\ufffd', 'Yes']);
  expect(await reader.messages(at('nowhere.chat'))).toBeUndefined();
});
