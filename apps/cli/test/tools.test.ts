import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { pairToolCalls, parseChat, parseOutput } from '@colophon/chat-format';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { builtCli, runCli } from './built-cli.js';
import { folder } from './folder.js';
import { kitchen } from './kitchen.js';
import { type CallToolResult, openMcp } from './mcp-client.js';

// Each run is a process of its own: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 120_000 });

const usage = { pt: 10, ct: 1 };

/** A project with the kitchen, and a model that answers as the script says. */
const project = async (script: ScriptedReply[], files: Record<string, string> = {}) => {
  const made = folder({ ...kitchen, ...files });
  const home = folder();
  mkdirSync(made.join('var/jobs'), { recursive: true });
  const server = await scriptedServer(script);
  onTestFinished(() => server.close());
  const environment = { HOME: home.path, OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: server.urls.responses };
  const ask = (...words: string[]) => runCli(['ask', ...words], { cwd: made.path, environment });
  const pairs = (name = 'x.chat') => pairToolCalls(parseChat(made.read(name)));
  const offered = () =>
    ((server.requests[0]?.body as { tools?: { name: string }[] } | undefined)?.tools ?? []).map(({ name }) => name);
  return { ...made, home, server, environment, ask, pairs, offered };
};

const call = (name: string, given: unknown) => ({ calls: [{ name, arguments: given }], usage });
const answers = (...first: ScriptedReply[]): ScriptedReply[] => [...first, { text: 'Done.', usage }];

describe('ask -w', () => {
  it('offers the tasks that a workflow exports; a call is a job, and is shown', async () => {
    const { ask, pairs, offered, path, read } = await project(answers(call('bake', { flour: 500 })));
    const { code, stdout, stderr } = await ask('-w', 'Kitchen', '-c', 'x.chat', 'Bake.');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(stderr).toContain('→ bake flour=500');
    expect(stderr).toContain('← bake 800 g in a tin for 40 min');
    expect(offered()).toEqual(['mix', 'bake', 'wait']);
    expect(pairs()[0]).toMatchObject({ name: 'bake', arguments: { flour: 500 }, output: '800 g in a tin for 40 min' });
    expect(pairs()[0]?.envelope).toMatchObject({ step: expect.stringMatching(/^Kitchen\/bake\/Default_/) });
    expect(readdirSync(`${path}/var/jobs/Kitchen`).sort()).toEqual(['bake', 'mix']);
    expect(read('x.chat')).not.toContain('tool:');
    expect(existsSync(`${path}/x.jobs`)).toBe(false);
  });

  it('offers one task as NAME/TASK, exported or not', async () => {
    const { ask, offered } = await project(answers());
    expect((await ask('-w', 'Kitchen/burn', 'hi')).code).toBe(0);
    expect(offered()).toEqual(['burn']);
    expect(await ask('-w', 'Kitchen/brn', 'hi')).toMatchObject({ code: 2, stdout: '' });
    expect((await ask('-w', 'Kitchn', 'hi')).stderr).toContain('Did you mean "Kitchen"');
  });

  it('shows in a dry run what would be offered, and runs nothing', async () => {
    const { ask, path } = await project(answers());
    const { code, stderr } = await ask('-w', 'Kitchen', '-d', '-m', 'gpt-4.1', 'hi');
    expect(code).toBe(0);
    expect(stderr).toContain('tools mix, bake, wait');
    expect(readdirSync(`${path}/var/jobs`)).toEqual([]);
  });

  it('lists the jobs that are waited for beside the chat, and stops them by Ctrl-C', async () => {
    const { path, environment, read, pairs } = await project([call('wait', {})]);
    const child = spawn(process.execPath, [builtCli(), 'ask', '-w', 'Kitchen', '-c', 'x.chat', 'Wait.'], {
      cwd: path,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await expect
      .poll(() => existsSync(`${path}/x.jobs`) && read('x.jobs'), { timeout: 20_000 })
      .toBe('Kitchen/wait/Default\n');
    await expect
      .poll(() => existsSync(`${path}/var/jobs/Kitchen/wait/Default.files/begun`), { timeout: 20_000 })
      .toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(existsSync(`${path}/x.jobs`)).toBe(false);
    expect(pairs()[0]?.envelope).toMatchObject({ error: 'aborted' });
    expect(JSON.parse(read('var/jobs/Kitchen/wait/Default.info')).status).toBe('aborted');
  });
});

/** A task whose program takes a while to end when it is asked to. */
const stubborn = {
  'workflows/Stubborn/workflow.ts': `import { command, defineWorkflow } from '@colophon/workflow';
export default defineWorkflow({
  name: 'Stubborn',
  tasks: { nap: command({ type: 'text', script: 'trap "sleep 0.7; exit 1" TERM; : > "$HOME/begun"; while :; do sleep 0.1; done' }) },
});
`,
};

const isWhole = (path: string): void => {
  expect(readdirSync(`${path}/var/jobs/Stubborn/nap`)).toEqual(['Default.info']);
  expect(JSON.parse(readFileSync(`${path}/var/jobs/Stubborn/nap/Default.info`, 'utf8')).status).toBe('aborted');
};

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s stops what runs, and waits until the programs of jobs have ended', async (signal, code) => {
  const { path, home, environment, pairs } = await project([call('nap', {})], stubborn);
  const child = spawn(process.execPath, [builtCli(), 'ask', '-w', 'Stubborn', '-c', 'x.chat', 'Nap.'], {
    cwd: path,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => existsSync(home.join('begun')), { timeout: 20_000 }).toBe(true);
  child.kill(signal);
  expect(await ended).toBe(code);
  isWhole(path);
  expect(existsSync(`${path}/x.jobs`)).toBe(false);
  expect(pairs()[0]?.envelope).toMatchObject({ error: 'aborted' });
  expect(readdirSync(path).filter((name) => name.endsWith('.hold'))).toEqual([]);
});

it('leaves a job that is stopped whole when the client of an MCP server goes away', async () => {
  const { path, home, environment } = await project([], stubborn);
  const { call: run, close } = await openMcp([process.execPath, builtCli(), 'mcp', 'Stubborn'], {
    cwd: path,
    environment,
  });
  const called = run('nap', {}).catch(() => undefined);
  await expect.poll(() => existsSync(home.join('begun')), { timeout: 20_000 }).toBe(true);
  await close();
  await called;
  isWhole(path);
});

describe('a chat file', () => {
  it('declares tools of a workflow, is introduced to it, and has tasks run for it', async () => {
    const { ask, pairs, offered, server } = await project(answers(call('mix', { kind: 'wheat' })), {
      'x.chat': 'introduce: Kitchen\n\ntool: Kitchen mix kind flour=7\n\ntask: Kitchen bake flour=1\n\nuser: Mix.\n',
    });
    expect((await ask('-c', 'x.chat')).code).toBe(0);
    expect(offered()).toEqual(['mix']);
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('# Bread\\n\\nMakes bread from flour.');
    expect(sent).toContain('1.6 g in a tin for 40 min');
    expect(JSON.parse(String(pairs().at(-1)?.output))).toMatchObject({ flour: 7, kind: 'wheat' });
  });

  it('is shown by a dry run and by `chat compile` without running anything', async () => {
    const { ask, path } = await project(answers(), { 'x.chat': 'user: a\n\ntask: Kitchen mix flour=1\n' });
    const dry = await ask('-d', '-c', 'x.chat', 'hi');
    expect(dry).toMatchObject({ code: 1, stdout: '' });
    expect(dry.stderr).toMatch(/x\.chat:3: task: .*policy `read`/);
    const compiled = await runCli(['chat', 'compile', 'x.chat'], { cwd: path });
    expect(compiled.stderr).toMatch(/x\.chat:3: task: /);
    expect(readdirSync(`${path}/var/jobs`)).toEqual([]);
    const ran = await runCli(['chat', 'compile', 'x.chat', '--policy', 'run'], { cwd: path });
    expect(ran.code).toBe(0);
    expect(parseOutput(parseChat(ran.stdout).at(-1)!.content)?.content).toContain('"dough":1.6');
    // The job is done now: naming it runs nothing.
    const [job] = readdirSync(`${path}/var/jobs/Kitchen/mix`).filter((name) => !name.endsWith('.info'));
    const shown = await runCli(['chat', 'compile', '-'], { cwd: path, input: `job: Kitchen/mix/${job}` });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('dough');
  });

  it('tells where a task failed', async () => {
    const { ask, server } = await project(answers(), { 'x.chat': 'user: a\n\ntask: Kitchen burn\n' });
    const { code, stderr } = await ask('-c', 'x.chat', 'hi');
    expect(code).toBe(1);
    expect(stderr).toMatch(/x\.chat:3: .*Kitchen\/burn\/Default with status `error`: smoke/);
    expect(server.requests).toHaveLength(0);
  });

  it('asks a TSV file and a knowledge base', async () => {
    const { ask, pairs, offered } = await project(
      answers(call('parents', { entities: ['Ada'] }), call('friends', { entities: ['Ada'] })),
      {
        'family.tsv': '#Parent\tChild\nAda\tBea\nAda\tCid\n',
        'var/knowledge_base/people/friends.tsv': '#Person\tFriend\nAda\tEva\n',
        'x.chat': 'association: parents family.tsv\n\nkb: people\n\nuser: Who?\n',
      },
    );
    const { code, stderr } = await ask('-c', 'x.chat');
    expect({ code, stderr: stderr.split('\n').filter((line) => line.startsWith('colophon')) }).toEqual({
      code: 0,
      stderr: [],
    });
    expect(offered()).toEqual(expect.arrayContaining(['parents', 'friends']));
    expect(pairs().map(({ output }) => JSON.parse(String(output)))).toEqual([['Ada~Bea', 'Ada~Cid'], ['Ada~Eva']]);
  });
});

describe('mcp', () => {
  it('serves the exported tasks of workflows to a client that starts it, without paths', async () => {
    const { path, environment } = await project([]);
    const { tools, call, stderr, close } = await openMcp(
      [process.execPath, builtCli(), 'mcp', 'Kitchen', 'Kitchen/burn'],
      {
        cwd: path,
        environment,
      },
    );
    const listed = await tools();
    expect(listed.map(({ name }) => name)).toEqual(['mix', 'bake', 'wait', 'burn']);
    expect(Object.keys(listed[1]?.inputSchema['properties'] as object)).toEqual([
      'minutes',
      'path',
      'flour',
      'kind',
      'salted',
      'extra_seeds',
    ]);
    expect(listed[0]?.annotations).toEqual({ idempotentHint: true });
    const text = ({ content, isError }: CallToolResult) => [isError === true, content[0]?.text];
    expect(text(await call('bake', { flour: 10 }))).toEqual([false, '16 g in a tin for 40 min']);
    expect(text(await call('burn', {}))).toEqual([true, 'smoke: too hot']);
    expect(text(await call('mix', { flour: 'x' }))[0]).toBe(true);
    await close();
    expect(stderr()).toContain('serving mix, bake, wait, burn');
  });

  it('serves by HTTP, with a key where it is set', async () => {
    const { path, environment } = await project([]);
    const child = spawn(process.execPath, [builtCli(), 'mcp', 'Kitchen', '--http', '0'], {
      cwd: path,
      env: { PATH: process.env['PATH'], ...environment, COLOPHON_MCP_KEY: 'open' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 20_000 }).toMatch(/at http:\/\/127\.0\.0\.1:\d+\/mcp/);
    const url = /http:\S+/.exec(said)![0];
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const { tools, close } = await openMcp(url, { key: 'open' });
    expect((await tools()).map(({ name }) => name)).toEqual(['mix', 'bake', 'wait']);
    await close();
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  });

  it.each([
    [['mcp'], 2, /NAME is missing/],
    [['mcp', 'Kitchn'], 1, /Did you mean "Kitchen"/],
    [['mcp', 'Kitchen/none'], 2, /Kitchen has no task none/],
    [['mcp', 'Kitchen', 'Kitchen'], 1, /Two tools are named `mix`/],
    [['mcp', 'Kitchen', '--http', 'x:y'], 2, /expected a port, or HOST:PORT/],
    [['mcp', 'Kitchen', '--http', '0.0.0.0:0'], 2, /set COLOPHON_MCP_KEY to a key/],
  ])('says what is wrong with %j', async (words, exit, message) => {
    const { path } = folder(kitchen);
    const { code, stdout, stderr } = await runCli(words, { cwd: path });
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(message);
  });

  const left = (word: string): string[] =>
    execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(word) && !line.startsWith('Z'));

  it('is what a chat may name: a command, or a server of etc/mcp.json; no process is left', async () => {
    const word = `kitchen-of-${process.pid}`;
    const served = JSON.stringify([builtCli(), 'mcp', 'Kitchen', '--root', word].join(' '));
    const files = {
      [`${word}/keep`]: '',
      // A server that does not heed the end of its input.
      'stays.mjs': `import { spawn } from 'node:child_process';
        spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
        setInterval(() => {}, 1000);`,
      'x.chat': `mcp: stdio ${JSON.stringify(`${process.execPath} ${JSON.parse(served)}`)} bake\n\nuser: Bake.\n`,
      'y.chat': 'mcp: cook mix\n\nuser: Mix.\n',
    };
    const { ask, pairs, offered, home } = await project(
      answers(call('bake', { flour: 3 }), { text: 'One.', usage }, call('mix', { flour: 4 })),
      files,
    );
    expect((await ask('-c', 'x.chat')).stderr).toContain('← bake 4.8');
    expect(offered()).toEqual(['bake']);
    expect(pairs()[0]?.output).toContain('4.8');
    const none = await ask('-c', 'y.chat');
    expect(none).toMatchObject({ code: 1 });
    expect(none.stderr).toMatch(/y\.chat:1: .*no MCP server `cook`/);
    mkdirSync(home.join('.colophon/etc'), { recursive: true });
    writeFileSync(
      home.join('.colophon/etc/mcp.json'),
      JSON.stringify({
        mcpServers: {
          cook: {
            command: process.execPath,
            args: ['stays.mjs', builtCli(), 'mcp', 'Kitchen', '--root', word],
            env: { NOTE: `${'$'}{HOME}` },
          },
        },
      }),
    );
    expect((await ask('-c', 'y.chat', '-d', '-m', 'gpt-4.1')).stderr).toMatch(/y\.chat:1: .*cook is a program/);
    expect((await ask('-c', 'y.chat')).code).toBe(0);
    await expect.poll(() => left(word)).toEqual([]);
  });
});
