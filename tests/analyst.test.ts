import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analystTools, analystWorkflow, runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { buildGraph, renders, tokenEvents, tokenTotals } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { runCalls } from '@colophon/tools';
import { createJob } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSessionTree } from '../fixtures/make-session-tree.js';

// biome-ignore lint/suspicious/noExplicitAny: reports are checked by the schemas of their tasks
type Report = any;

type Case = { root?: string; roots?: string[]; links?: Record<string, string> };

/** A session on disk. `roots` are its search roots. */
type Place = { folder: string; root: string; roots: string[] };

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const cases = [
  ...readdirSync(join(fixtures, 'provenance')).map((name) => `provenance/${name}`),
  'analyst/harbour',
  'analyst/generations',
];
const placeholder = '{{ROOT}}';
const fields = ['pt', 'ct', 'tt', 'cct', 'cwt', 'rt'] as const;

const copyCase = async (name: string, folder: string): Promise<Case> => {
  await cp(join(fixtures, name, 'files'), folder, { recursive: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const bytes = await readFile(path);
    if (bytes.includes(placeholder)) await writeFile(path, bytes.toString('utf8').replaceAll(placeholder, folder));
  }
  const file = join(fixtures, name, 'case.json');
  const options: Case = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const [link, target] of Object.entries(options.links ?? {})) {
    await mkdir(dirname(join(folder, link)), { recursive: true });
    await symlink(target.replaceAll(placeholder, folder), join(folder, link));
  }
  return options;
};

const layOut = async (name: string, folder: string): Promise<Place> => {
  if (name === 'made') return { folder, root: makeSessionTree(folder, { jobs: 12, rounds: 3 }).root, roots: [] };
  const { root = 'root.chat', roots = [] } = await copyCase(name, folder);
  return { folder, root: join(folder, root), roots: roots.map((path) => join(folder, path)) };
};

const run = (task: string, { root, folder, roots }: Place, input: object = {}): Promise<Report> =>
  runTask(task, { file: root, ...input }, nodeAnalystContext({ workingDirectory: folder, roots }), tasks);

const listing = async (folder: string): Promise<unknown[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const rows = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, ctimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, ctimeMs: 0, size: 0 }));
    return entry.isDirectory() ? [path] : [path, mtimeMs, ctimeMs, size];
  });
  return (await Promise.all(rows)).sort((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
};

const readTasks = Object.values(tasks).filter(
  ({ writes, name }) => !writes && !['extract_chat_range', 'message_content'].includes(name),
);

const add = (...parts: Report[]) =>
  Object.fromEntries(fields.map((field) => [field, parts.reduce((sum, part) => sum + part[field], 0)]));
const six = (tokens: Report) => Object.fromEntries(fields.map((field) => [field, tokens[field]]));

/** Where a report says that something stands: `path#message`, or `path#message[meta,entry]`. What warnings point at is left out. */
const addressesIn = (value: Report, key = ''): string[] => {
  if (value === null || value === undefined || key === 'warnings') return [];
  const isAddress = /address$|^copy_of$/.test(key);
  if (typeof value === 'string') return isAddress && value.includes('#') ? [value] : [];
  if (Array.isArray(value)) {
    const [path, message, field, entry] = value;
    if (isAddress && typeof message === 'number')
      return [`${path}#${message}${field === undefined ? '' : `[${field},${entry}]`}`];
    return value.flatMap((one) => addressesIn(one, key));
  }
  return typeof value === 'object' ? Object.entries(value).flatMap(([name, one]) => addressesIn(one, name)) : [];
};

/** Runs all tasks that only read and that the root is right for. */
const runAll = async (place: Place): Promise<Record<string, Report>> => {
  const isJob = existsSync(`${place.root}.info`);
  const fitting = readTasks.filter(({ root }) => root === 'session' || !isJob);
  const reports = fitting.map(async ({ name }) => [name, await run(name, place)] as const);
  return Object.fromEntries(await Promise.all(reports));
};

/** Reports without the time that has passed since files were written. */
const timeless = (reports: Report): Report =>
  JSON.parse(JSON.stringify(reports), (key, value) => (['age', 'mtime', 'likely_active'].includes(key) ? 0 : value));

let outer: string;
beforeAll(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'analyst-')));
});
afterAll(() => rm(outer, { recursive: true, force: true }));

describe.each([...cases, 'made'])('reports on the session %s', (name) => {
  let place: Place;
  beforeAll(async () => {
    place = await layOut(name, join(outer, name));
  });

  test('have the form that their schemas tell, and reading them changes nothing', async () => {
    const before = await listing(place.folder);
    for (const [task, report] of Object.entries(await runAll(place)))
      expect(tasks[task]!.output.safeParse(report).error?.issues ?? [], task).toEqual([]);
    expect(await listing(place.folder)).toEqual(before);
  });

  test('give one number for one question, in parts that add up', async () => {
    const report = await run('chat_report', place);
    const total = six(report.tokens.deduplicated_total);
    const graph = await buildGraph(place.root, { reader: nodeReader({ roots: place.roots }) });
    const { events } = tokenEvents(graph);
    expect(total).toEqual(six(tokenTotals(events)));
    expect(six((await run('chat_tokens', place)).deduplicated_total)).toEqual(total);
    const { root_chat_tokens, delegated_tokens, unattributed_tokens } = report.delegation;
    expect(add(root_chat_tokens, delegated_tokens, unattributed_tokens)).toEqual(total);
    const tree = JSON.parse(renders.json(graph, events, {}));
    expect(six(tree.totals.deduplicated_total)).toEqual(total);
    if (!existsSync(`${place.root}.info`)) {
      const { entries } = await run('chat_accounting', place);
      expect(six(entries.at(-1).tokens)).toEqual(total);
    }
  });

  test('lead from every amount to a record that is there', async () => {
    const { events } = await run('chat_tokens', place);
    const { records } = await run('meta_evidence', place);
    const known = new Set(
      records.map((record: Report) => JSON.stringify(record.meta_address ?? record.evidence_address)),
    );
    for (const { canonical_address, evidence, tokens } of events) {
      for (const piece of evidence)
        expect(known).toContain(JSON.stringify(piece.meta_address ?? piece.evidence_address));
      const [path, index] = canonical_address;
      const [message] = await run('message_content', place, { ids: [`${path}#${index}`] });
      expect(message.id).toBe(`${path}#${index}`);
      for (const field of fields) if (tokens[field] > 0) expect(message.content).toContain(String(tokens[field]));
    }
  });

  test('name no address that leads nowhere', async () => {
    const reports = await runAll(place);
    const { records } = reports['meta_evidence'];
    const known = new Set(records.flatMap((record: Report) => addressesIn(record)));
    const all = [...new Set(addressesIn(reports))];
    const [entries, messages] = [true, false].map((is) => all.filter((address) => address.endsWith(']') === is));
    for (const entry of entries!) expect(known).toContain(entry);
    const shown = await run('message_content', place, { ids: messages });
    expect(shown.map(({ id }: Report) => id)).toEqual(messages);
  });

  test('keep all totals whatever pages, filters and marks do to their lists', async () => {
    const {
      calls: _,
      page: __,
      per_page: ___,
      total_pages: ____,
      next_page: _____,
      ...counts
    } = await run('chat_tool_calls', place);
    const { calls, page, per_page, total_pages, next_page, ...narrow } = await run('chat_tool_calls', place, {
      page: 1,
      per_page: 1,
      dedupe: true,
      tool: 'no such tool',
    });
    expect({ calls, page, per_page, total_pages, next_page }).toEqual({
      calls: [],
      page: 1,
      per_page: 1,
      total_pages: 1,
    });
    expect(narrow).toEqual(counts);
    const whole = await run('chat_tokens', place);
    const paged = await run('chat_tokens', place, { page: 2, per_page: 1 });
    expect(paged.events).toEqual(whole.events.slice(1, 2));
    expect(six(paged.deduplicated_total)).toEqual(six(whole.deduplicated_total));
  });
});

describe.each(['made', 'analyst/harbour', 'analyst/generations'])('all reports on %s are the same', (name) => {
  /** Without the folder that a session is in, or was in when its chats wrote of it. */
  const without = (folders: readonly string[], reports: Report): Report =>
    JSON.parse(folders.reduce((text, folder) => text.replaceAll(folder, '~'), JSON.stringify(timeless(reports))));

  test('but for its paths where the session was moved', async () => {
    const before = await layOut(name, join(outer, name, 'before'));
    const reports = without([before.folder], await runAll(before));
    const folder = join(outer, name, 'after it was moved');
    await rename(before.folder, folder);
    const after = { ...before, folder, root: join(folder, relative(before.folder, before.root)) };
    expect(without([folder, before.folder], await runAll(after))).toEqual(reports);
  });

  test('whatever the order in which its files were written', async () => {
    const place = await layOut(name, join(outer, name, 'written'));
    const sorted = ({ live_chats: { chats, ...live }, ...reports }: Report) => ({
      ...reports,
      live,
      chats: chats.sort((one: Report, other: Report) => (one.path < other.path ? -1 : 1)),
    });
    const reports = sorted(timeless(await runAll(place)));
    const entries = await readdir(place.folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const texts = new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
    await rm(place.folder, { recursive: true });
    for (const [path, text] of [...texts].sort().reverse()) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    expect(sorted(timeless(await runAll(place)))).toEqual(reports);
  });
});

test('addresses are short where the home folder is, and are taken short and whole', async () => {
  const { folder, root } = await layOut('provenance/receipts', join(outer, 'home'));
  const context = () => nodeAnalystContext({ workingDirectory: folder, home: folder });
  const index: Report = await runTask('message_index', { file: root }, context(), tasks);
  expect(index[0].address).toBe('~/root.chat#0');
  const ids = ['~/root.chat#0', `${folder}/root.chat#0`];
  const messages: Report = await runTask('message_content', { file: '~/root.chat', ids }, context(), tasks);
  expect(messages.map(({ id }: Report) => id)).toEqual(ids);
  expect(messages[0].content).toBe(messages[1].content);
  const narrow = (chat: string) => runTask<Report>('chat_tool_calls', { file: root, chat }, context(), tasks);
  expect((await narrow('~/root.chat')).calls).toEqual((await narrow(`${folder}/root.chat`)).calls);
  expect((await narrow('~/root.chat')).calls.length).toBeGreaterThan(0);
});

test('the same reports are tools, and tasks of a workflow whose jobs are never taken for later ones', async () => {
  const { folder, root } = await layOut('provenance/receipts', join(outer, 'ways'));
  const context = () => nodeAnalystContext({ workingDirectory: folder });
  const report = await runTask('chat_report', { file: root }, context(), tasks);
  const tools = analystTools(context);
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(tasks));
  expect(tools.filter(({ readOnly }) => !readOnly).map(({ name }) => name)).toEqual(['post_inbox_advice']);
  const calls = [{ id: 'c1', name: 'chat_report', arguments: { file: root } }];
  const { outputs } = await runCalls(calls, tools, { now: () => new Date(0) });
  expect(JSON.parse(JSON.parse(outputs[0]!.content).content)).toEqual(report);

  const jobs = nodeContext({ roots: [folder], workflows: { Analyst: analystWorkflow(context) } });
  const job = await createJob('Analyst', 'message_index', { file: root }, { context: jobs });
  const first = (await job.run()) as Report[];
  await appendFile(root, '\nuser: one more\n');
  expect(await job.run()).toHaveLength(first.length + 1);
});

describe('inputs are checked before any work', () => {
  test.each([
    ['chat_tokens', { follow: 'jobs' }, 'unknown_relation'],
    ['chat_tokens', { pages: 1 }, 'invalid_input'],
    ['chat_tokens', { per_page: 0 }, 'invalid_input'],
    ['chat_accounting', { scope: 'everything' }, 'invalid_input'],
    ['meta_evidence', { origin: 'chat' }, 'invalid_input'],
    ['extract_chat_range', { start: 3, end: 1 }, 'invalid_input'],
    ['message_content', { ids: ['no address'] }, 'bad_address'],
    ['chat_timeline', { groups: 'cooking=bake' }, 'invalid_input'],
    ['chat_tokns', {}, 'unknown_task'],
  ])('%s %j', async (task, input, code) => {
    const place = await layOut('provenance/receipts', join(outer, `checked-${task}-${JSON.stringify(input).length}`));
    await expect(run(task, place, input)).rejects.toMatchObject({ name: 'ColophonError', code });
  });

  test('a root that is not there is told with the places', async () => {
    const place = { folder: outer, root: 'gone', roots: [outer] };
    await expect(run('chat_report', place)).rejects.toThrow(/gone\.chat.*chats\/gone/);
  });
});

describe('advice', () => {
  test('is created and never overwritten; of two at once one is told', async () => {
    const place = await layOut('provenance/receipts', join(outer, 'advice'));
    const two = await Promise.allSettled(
      ['first', 'second'].map((message) => run('post_inbox_advice', place, { message, name: 'note.md' })),
    );
    expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { pending, delivered } = await run('inbox_state', place);
    expect(pending.map(({ name }: Report) => name)).toEqual(['note.md']);
    expect(['first', 'second']).toContain(pending[0].content);
    expect(delivered).toEqual([]);
  });

  test.each([
    [{ message: ' \n' }],
    [{ message: 'x', name: 'abort' }],
    [{ message: 'x', name: '.hidden' }],
    [{ message: 'x', name: '../out.md' }],
    [{ message: 'x', name: 'a/b.md' }],
    [{ message: 'x', name: 'é'.repeat(150) }],
  ])('that can not be meant is refused, and nothing is written: %j', async (input) => {
    const place = await layOut('provenance/receipts', join(outer, `refused-${JSON.stringify(input).length}`));
    const before = await listing(place.folder);
    await expect(run('post_inbox_advice', place, input)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await listing(place.folder)).toEqual(before);
  });
});
