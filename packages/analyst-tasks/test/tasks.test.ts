import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type AnalystContext, openSession, runOn, runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: reports are checked by the schemas of their tasks
type Report = any;

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'analyst-tasks-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (files: Record<string, string>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
};

const contextOf = (more: { home?: string; roots?: string[] } = {}): AnalystContext =>
  nodeAnalystContext({ workingDirectory: folder, now: () => new Date('2026-12-01T09:30:15Z'), ...more });

/** Runs a task; what it returns fits its own schema. */
const run = async (name: string, file: string, input: object = {}, context = contextOf()): Promise<Report> => {
  const report = await runTask(name, { file, ...input }, context, tasks);
  expect(tasks[name]!.output.safeParse(report).error?.issues ?? []).toEqual([]);
  return report;
};

const line = (role: string, value: object): string => `${role}: ${JSON.stringify(value)}`;
const call = (id: string, values: object, name = 'ask') => line('function_call', { name, arguments: values, id });
const output = (id: string, more: object = {}) => line('function_call_output', { id, content: 'said', ...more });
const chatOf = (...lines: string[]): string => `\n${lines.join('\n\n')}\n`;

describe('a root', () => {
  const chat = chatOf('user: hello', 'meta: pt=1 ct=1 tt=2 inference_id=a', 'assistant: hi');

  test('is a path, a path without its ending, a name in chats/, or behind a link', async () => {
    await write({ 'here.chat': chat, 'library/chats/kept.chat': chat, 'deep/real.chat': chat });
    await symlink(join(folder, 'deep/real.chat'), join(folder, 'linked.chat'));
    const context = contextOf({ roots: [join(folder, 'library')], home: folder });
    const rootOf = async (name: string) => (await run('chat_report', name, {}, context)).root;
    expect(await rootOf('here')).toEqual({ kind: 'chat', path: '~/here.chat' });
    expect(await rootOf(join(folder, 'here.chat'))).toEqual({ kind: 'chat', path: '~/here.chat' });
    expect(await rootOf('~/here')).toEqual({ kind: 'chat', path: '~/here.chat' });
    expect(await rootOf('kept')).toEqual({ kind: 'chat', path: '~/library/chats/kept.chat' });
    expect(await rootOf('linked')).toEqual({ kind: 'chat', path: '~/deep/real.chat' });
    await expect(rootOf('deep')).rejects.toMatchObject({ code: 'unknown_root' });
  });

  test('is a job only where an .info lies beside it', async () => {
    await write({ job: 'result', 'job.info': '{"status":"done","type":"string"}', 'job.files/agent.chat': chat });
    await write({ 'bare.files/agent.chat': chat, bare: chat });
    expect((await run('chat_report', 'job')).root.kind).toBe('job');
    expect((await run('chat_report', 'bare')).root.kind).toBe('chat');
    for (const task of ['chat_accounting', 'inbox_state', 'provenance_relationships'])
      await expect(run(task, 'job')).rejects.toMatchObject({ code: 'wrong_root' });
  });

  test('that is the result of a job can be read by range', async () => {
    await write({ 'job.chat': chat, 'job.chat.info': '{"status":"done","type":"chat"}' });
    expect(await run('extract_chat_range', 'job.chat', { start: 0, end: 0 })).toContain('hello');
  });
});

describe('addresses', () => {
  test('are taken short, whole, relative and through links', async () => {
    await write({
      'real/x.chat': chatOf('user: one', call('c', {}), output('c'), 'meta: pt=1 reas=because inference_id=a'),
    });
    await symlink(join(folder, 'real'), join(folder, 'link'));
    const context = contextOf({ home: join(folder, 'link') });
    const places = ['~/x.chat', `${folder}/real/x.chat`, `${folder}/link/x.chat`, 'real/x.chat', 'link/x.chat'];
    const ids = places.map((path) => `${path}#0`);
    const messages = await run('message_content', 'real/x.chat', { ids }, context);
    expect(messages.map(({ id, content }: Report) => [id, content])).toEqual(ids.map((id) => [id, 'one']));
    for (const chat of places) {
      expect((await run('chat_tool_calls', 'real/x.chat', { chat }, context)).calls).toHaveLength(1);
      const { items } = await run('chat_reasoning', 'real/x.chat', { addresses: [`${chat}#3`] }, context);
      expect(items).toMatchObject([{ address: '~/x.chat#3', reasoning: 'because' }]);
    }
  });

  test('of receipts lead to the task that shows them', async () => {
    await write({ 'x.chat': chatOf('user: one') });
    await expect(run('message_content', 'x', { ids: ['x.chat#0[meta,0]'] })).rejects.toThrow(/meta_evidence/);
    await expect(run('chat_reasoning', 'x', { addresses: ['nowhere'] })).rejects.toMatchObject({ code: 'bad_address' });
  });
});

describe('inputs', () => {
  test.each([
    ['message_index', { role: 'usr' }, 'invalid_input'],
    ['inbox_state', { follow: 'log' }, 'invalid_input'],
    ['chat_timeline', { groups: 'cooking=bake' }, 'invalid_input'],
    ['extract_chat_range', { start: 1, end: 0 }, 'invalid_input'],
    ['extract_chat_range', { start: 0, end: 7 }, 'invalid_input'],
    ['post_inbox_advice', { message: 'x', name: 'two\nlines' }, 'invalid_input'],
  ])('that can not be meant are told: %s %j', async (task, input, code) => {
    await write({ 'x.chat': chatOf('user: one') });
    await expect(run(task, 'x', input)).rejects.toMatchObject({ name: 'ColophonError', code });
  });

  test('are checked before a root is looked for', async () => {
    for (const [task, input] of [
      ['chat_timeline', { groups: 'cooking=bake' }],
      ['message_content', { ids: ['nowhere'] }],
      ['post_inbox_advice', { message: ' ' }],
      ['extract_chat_range', { start: 1, end: 0 }],
    ] as const)
      await expect(run(task, 'gone', input)).rejects.not.toMatchObject({ code: 'unknown_root' });
  });

  test('may name a role that only this session has', async () => {
    await write({ 'x.chat': chatOf('user: one', 'narrator: two') });
    expect(await run('message_index', 'x', { role: 'narrator' })).toHaveLength(1);
    expect(await run('message_index', 'x', { role: 'sharp_assistant' }).catch(({ code }) => code)).toBe(
      'invalid_input',
    );
  });

  test('of a session that is open are those of the task alone', async () => {
    await write({ 'x.chat': chatOf('user: one', call('c', {}), output('c')) });
    const session = await openSession('x', contextOf());
    const { calls } = await runOn<Report>(tasks['chat_tool_calls']!, session, { tool: 'ask' });
    expect(calls).toHaveLength(1);
    await expect(runOn(tasks['chat_report']!, session, { follow: 'log' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('calls', () => {
  test('are copies where tool, id and arguments are the same, in whatever order these are written', async () => {
    await write({
      'x.chat': chatOf('user: one', call('c', { a: 1, b: { c: [1, 2], d: 'x' } }), output('c')),
      'x.chat.files/agent.chat': chatOf(
        call('c', { b: { d: 'x', c: [1, 2] }, a: 1 }),
        call('c', { a: 1, b: { c: [2, 1], d: 'x' } }),
        call('c', { a: '1', b: { c: [1, 2], d: 'x' } }),
        call('d', { a: 1 }),
        line('function_call', { name: 'ask', arguments: { a: 1 } }),
        line('function_call', { name: 'ask', arguments: { a: 1 } }),
      ),
    });
    const { calls, ...counts } = await run('chat_tool_calls', 'x', { dedupe: true });
    expect(counts).toMatchObject({ total: 7, copies: 1, unique_calls: 6, incomplete: 6, by_tool: { ask: 7 } });
    expect(calls.filter(({ copy_of }: Report) => copy_of !== undefined)).toMatchObject([
      { copy_of: `${folder}/x.chat#1`, call_address: `${folder}/x.chat.files/agent.chat#0` },
    ]);
    expect(await run('chat_report', 'x')).toMatchObject({ tool_calls: 7, unique_tool_calls: 6 });
  });

  test('tell the receipts of their own output, whichever tool carries them', async () => {
    const meta = [
      { pt: 3, ct: 1, tt: 4, inference_id: 'i' },
      { pt: 3, ct: 1, tt: 4, inference_id: 'i' },
    ];
    await write({
      'x.chat': chatOf('user: one', call('c', {}, 'odd'), output('c', { meta }), call('d', {}), output('d', { meta })),
    });
    const { interactions } = await run('chat_agents', 'x');
    expect(interactions.map(({ tool, receipt }: Report) => [tool, receipt.event_ids, receipt.token_total.tt])).toEqual([
      ['odd', ['i'], 4],
      ['ask', ['i'], 4],
    ]);
    expect((await run('chat_tokens', 'x')).deduplicated_total.tt).toBe(4);
  });

  test('thousands of receipts of one job are summed once each', async () => {
    const job = join(folder, 'var/jobs/Tide/ask/one');
    const own = Array.from({ length: 3000 }, (_, index) => `meta: pt=1 ct=1 tt=2 inference_id=i${index}`);
    await write({
      'var/jobs/Tide/ask/one': 'done',
      'var/jobs/Tide/ask/one.info': '{"status":"done","type":"string"}',
      'var/jobs/Tide/ask/one.files/agent.chat': chatOf('user: go', ...own),
      'x.chat': chatOf(
        'user: one',
        ...Array.from({ length: 3000 }, (_, index) => [
          call(`c${index}`, {}),
          output(`c${index}`, { meta: [{ job }] }),
        ]).flat(),
      ),
    });
    const { interactions } = await run('chat_agents', 'x');
    expect(interactions).toHaveLength(3000);
    for (const { delegated_token_total, delegated_event_count, child_evidence } of interactions)
      expect([delegated_token_total.tt, delegated_event_count, child_evidence]).toEqual([6000, 3000, 'log_only']);
    const { delegation } = await run('chat_report', 'x');
    expect(delegation.subtrees).toMatchObject([{ events: 3000, chats: 1, tokens: { tt: 6000 } }]);
  });
});

test('a chat that is imported and is the result of a job is accounted as a chat', async () => {
  await write({
    'kept.chat': chatOf('user: one', 'meta: pt=1 ct=1 tt=2 inference_id=a', 'assistant: x'),
    'kept.chat.info': '{"status":"done","type":"chat"}',
    'kept.chat.files/agent.chat': chatOf('user: other', 'meta: pt=5 ct=5 tt=10 inference_id=b'),
    'x.chat': chatOf('import: kept.chat', 'user: two'),
  });
  const { entries } = await run('chat_accounting', 'x');
  expect(entries.map(({ chat, direct_tokens }: Report) => [chat, direct_tokens.tt])).toEqual([
    [`${folder}/kept.chat`, 2],
    [`${folder}/x.chat`, 0],
  ]);
});

describe('notes', () => {
  beforeEach(() => write({ 'x.chat': chatOf('user: one') }));

  test('are left whole under the name of the moment, with dots and blanks in names', async () => {
    const { name, posted, size } = await run('post_inbox_advice', 'x', { message: 'Grüße' });
    expect([name, posted, size]).toEqual(['20261201-093015-advice.md', `${folder}/x.inbox/${name}`, 7]);
    await run('post_inbox_advice', 'x', { message: 'b', name: 'v1.2 final.note.md' });
    expect(await readdir(join(folder, 'x.inbox'))).toEqual([name, 'v1.2 final.note.md']);
    await expect(run('post_inbox_advice', 'x', { message: 'c' })).rejects.toThrow(/is there already/);
    expect(await readFile(posted, 'utf8')).toBe('Grüße');
  });

  test('of many at once one stays, and no draft', async () => {
    const posts = Array.from({ length: 12 }, (_, index) =>
      run('post_inbox_advice', 'x', { message: `note ${index}`, name: 'n.md' }),
    );
    const states = (await Promise.allSettled(posts)).map(({ status }) => status);
    expect(states.filter((status) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(join(folder, 'x.inbox'))).toEqual(['n.md']);
  });

  test('never take the place of a link that leads nowhere, nor of what is no folder', async () => {
    await mkdir(join(folder, 'x.inbox'));
    await symlink(join(folder, 'outside.md'), join(folder, 'x.inbox/n.md'));
    await expect(run('post_inbox_advice', 'x', { message: 'a', name: 'n.md' })).rejects.toThrow(/is there already/);
    expect(await readdir(folder)).toEqual(['x.chat', 'x.inbox']);
    await write({ 'y.chat': chatOf('user: one'), 'y.inbox': 'a file' });
    await expect(run('post_inbox_advice', 'y', { message: 'a' })).rejects.toThrow(/is no folder/);
    expect(await readFile(join(folder, 'y.inbox'), 'utf8')).toBe('a file');
  });

  test('are listed with what they say; links, folders, hidden ones and what vanished are none', async () => {
    await write({
      'x.inbox/a.md': 'first',
      'x.inbox/.draft': 'no',
      'x.inbox/folder/b.md': 'no',
      'x.inbox/vanishing.md': 'gone',
      'x.inbox_removed/old.md': 'was',
    });
    await symlink(join(folder, 'x.chat'), join(folder, 'x.inbox/link.md'));
    const context = contextOf();
    const { readText } = context.files;
    const files = {
      ...context.files,
      readText: async (path: string) => {
        if (path.endsWith('vanishing.md')) await rm(path);
        return readText(path);
      },
    };
    const { pending, delivered } = await run('inbox_state', 'x', {}, { ...context, files });
    expect(pending.map(({ name, content, size }: Report) => [name, content, size])).toEqual([['a.md', 'first', 5]]);
    expect(delivered).toMatchObject([{ name: 'old.md', content: 'was' }]);
  });

  test('of 50 MB are read whole; larger ones, and unreadable ones, are told without their text', async () => {
    await write({ 'x.inbox/large.md': 'a'.repeat(50_000_000), 'x.inbox/larger.md': 'a'.repeat(64_000_001) });
    await write({ 'x.inbox/secret.md': 'secret' });
    await chmod(join(folder, 'x.inbox/secret.md'), 0);
    const { pending } = await run('inbox_state', 'x');
    expect(pending.map(({ name, content, problem }: Report) => [name, content.length, problem])).toEqual([
      ['large.md', 50_000_000, undefined],
      ['larger.md', 0, 'unreadable'],
      process.getuid?.() === 0 ? ['secret.md', 6, undefined] : ['secret.md', 0, 'unreadable'],
    ]);
  });

  test('stand beside the chat as it was named, where that is a link', async () => {
    await symlink(join(folder, 'x.chat'), join(folder, 'other.chat'));
    await run('post_inbox_advice', 'other', { message: 'a', name: 'n.md' });
    expect(await readdir(join(folder, 'other.inbox'))).toEqual(['n.md']);
    expect((await run('inbox_state', 'other')).pending).toHaveLength(1);
    expect((await run('inbox_state', 'x')).pending).toHaveLength(0);
  });
});

describe('records', () => {
  test('are counted for the whole session whichever are listed, and receipts tell what is wrong with them', async () => {
    const meta = [{ pt: 1, tt: 1, inference_id: 'a' }, { job: 'Tide/ask/lost' }, 'torn'];
    await write({
      'x.chat': chatOf('user: one', call('c', {}), output('c', { meta }), 'meta: pt=2 tt=2 inference_id=b'),
    });
    const all = await run('meta_evidence', 'x');
    expect(all).toMatchObject({
      total: 3,
      by_origin: { chat_meta: 1, agent_meta: 2 },
      by_classification: { direct: 2, job_projection: 1 },
    });
    expect(all.records.map(({ warnings }: Report) => warnings?.map(({ reason }: Report) => reason))).toEqual([
      undefined,
      undefined,
      ['unresolved_job_reference'],
    ]);
    for (const origin of ['chat_meta', 'agent_meta']) {
      const { records, ...counts } = await run('meta_evidence', 'x', { origin });
      const { records: every, ...whole } = all;
      expect(counts).toEqual(whole);
      expect(records).toEqual(every.filter((record: Report) => record.origin === origin));
    }
  });
});

describe('what is live', () => {
  const working = chatOf('user: go', 'meta: pt=1 ct=1 tt=2 inference_id=w');

  test('is found by provenance, through .jobs files to the second level, and each chat once', async () => {
    const job = (name: string) => `var/jobs/Tide/ask/${name}`;
    await write({
      'x.chat': chatOf('user: one'),
      'x.jobs': `${join(folder, job('one'))}\nTide/ask/gone\n`,
      [`${job('one')}.info`]: '{"status":"started","pid":1}',
      [`${job('one')}.files/agent.chat`]: working,
      [`${job('one')}.files/agent.jobs`]: join(folder, job('two')),
      [`${job('two')}.info`]: '{"status":"started"}',
      [`${job('two')}.files/agent.chat`]: working,
      [`${job('two')}.files/agent.jobs`]: join(folder, job('three')),
      [`${job('three')}.info`]: '{"status":"started"}',
      [`${job('three')}.files/agent.chat`]: working,
    });
    const { chats, source, total } = await run('live_chats', 'x');
    expect([source, total]).toEqual(['provenance', 3]);
    expect(
      Object.fromEntries(
        chats.map(({ path, source: by, jobs_file }: Report) => [
          path.slice(folder.length + 1),
          [by, jobs_file?.slice(folder.length + 1)],
        ]),
      ),
    ).toEqual({
      'x.chat': ['provenance', undefined],
      [`${job('one')}.files/agent.chat`]: ['jobs', 'x.jobs'],
      [`${job('two')}.files/agent.chat`]: ['jobs', `${job('one')}.files/agent.jobs`],
    });
    expect(chats.filter(({ likely_active }: Report) => likely_active)).toHaveLength(1);
  });

  test('is found through .jobs files at any depth of its folder', async () => {
    const deep = 'x.chat.files/agent.chat.files/notes.files/late.jobs';
    await write({
      'x.chat': chatOf('user: one'),
      [deep]: 'Tide/ask/one\n',
      'var/jobs/Tide/ask/one.info': '{"status":"started"}',
      'var/jobs/Tide/ask/one.files/agent.chat': working,
    });
    const { chats } = await run('live_chats', 'x');
    expect(chats.flatMap(({ jobs_file }: Report) => jobs_file ?? [])).toEqual([join(folder, deep)]);
  });

  test('is found on disk where the record of the job is damaged', async () => {
    await write({
      job: 'x',
      'job.info': '[not an info',
      'job.files/agent.chat': working,
      'job.files/log/chats/Pilot/one.chat': working,
    });
    const { chats, source, job } = await run('live_chats', 'job');
    expect([source, chats.length]).toEqual(['glob', 2]);
    expect(job).toMatchObject({ running: false });
  });
});
