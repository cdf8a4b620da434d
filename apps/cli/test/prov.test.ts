import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from './built-cli.js';
import { folder } from './folder.js';

const cases = fileURLToPath(new URL('../../../fixtures/renders', import.meta.url));

const session = (name = 'delegation') => {
  const made = folder();
  cpSync(join(cases, name), made.path, { recursive: true });
  return { ...made, prov: (...words: string[]) => runCli(['prov', ...words], { cwd: made.path }) };
};

const info = (facts: object) => JSON.stringify({ workflow: 'Lab', task_name: 'ask', dependencies: [], ...facts });

describe('prov', () => {
  it('shows a session as a tree, and changes nothing', async () => {
    const { path, prov } = session();
    const before = readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
      const { mtimeMs, size } = statSync(join(entry.parentPath, entry.name));
      return [entry.name, mtimeMs, size];
    });
    const { code, stdout, stderr } = await prov('root.chat');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 5)).toEqual(
      readFileSync(join(path, 'expected.tree.txt'), 'utf8').split('\n').slice(0, 5),
    );
    expect(stdout).toMatch(/^root deduplicated_total=1\.9K \(5 events\) prompt=1\.5K cache=200@13\.2% fresh=1\.3K /m);
    const after = readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
      const { mtimeMs, size } = statSync(join(entry.parentPath, entry.name));
      return [entry.name, mtimeMs, size];
    });
    expect(after).toEqual(before);
  });

  it('gives one number in every form', async () => {
    const { prov } = session();
    const component = (await prov('-c', 'root.chat')).stdout;
    expect(component).toMatch(/^ chat direct=345 .* cost=\$0\.\d+\+unknown\(1 of 3\) root\.chat$/m);
    expect(component).toContain('evidence receipt_only: total=10');
    const evidence = (await prov('-e', '-f', 'root.chat')).stdout;
    expect(evidence).toMatch(/^\[ 3\] Chat {2}root\.chat +1\.9k [0-9a-f]{8}$/m);
    expect(evidence).not.toContain('root deduplicated_total');
    expect(evidence).toMatch(/^sum +total=1860 prompt=1517 .* 5 events$/m);
    const { totals, nodes, events } = JSON.parse((await prov('--json', 'root.chat')).stdout);
    expect(totals.deduplicated_total.tt).toBe(1860);
    expect(events).toHaveLength(5);
    expect(nodes.reduce((sum: number, { direct }: { direct?: { tt: number } }) => sum + (direct?.tt ?? 0), 0)).toBe(
      1860,
    );
  });

  it('takes a job by its file, its short path, and a chat by its name in a library', async () => {
    const { path, prov } = session();
    const job = readdirSync(join(path, 'var/jobs/Lab/ask'))
      .find((name) => name.endsWith('.info'))!
      .slice(0, -5);
    const byPath = await prov(`var/jobs/Lab/ask/${job}`);
    expect(byPath.stdout).toMatch(/^ job evidence=1\.5K delta=1\.5K .* Lab\/ask aaaabbbb$/m);
    expect((await prov(`Lab/ask/${job}`)).stdout).toBe(byPath.stdout);
    mkdirSync(join(path, 'chats'));
    symlinkSync('../root.chat', join(path, 'chats', 'kept.chat'));
    expect((await prov('kept')).stdout).toContain('deduplicated_total=1.9K');
  });

  it('writes sources and pictures to files, or sources to standard output', async () => {
    const { path, prov, read } = session();
    const source = (await prov('--dot', 'root.chat')).stdout;
    expect(source).toMatch(/^digraph provenance \{\n/);
    const written = await prov(
      '--dot',
      'a.dot',
      '--mermaid=a.mmd',
      '--plot',
      'a.svg',
      '--timeline',
      't.png',
      'root.chat',
    );
    expect(written.stdout).toBe('');
    expect(written.stderr).toMatch(/^wrote t\.png, \d+ × \d+ pixels\nwrote a\.svg$/m);
    expect(read('a.dot')).toBe(source);
    expect(read('a.mmd')).toMatch(/^flowchart LR\n/);
    expect(read('a.svg')).toContain('Root conversation');
    expect(readFileSync(join(path, 't.png')).subarray(1, 4).toString()).toBe('PNG');
    expect((await prov('--plot', 'a.png', '--timeline=t.png', 'root.chat')).stderr).toMatch(
      /^wrote t\.png.*\nwrote a\.png/,
    );
    expect((await prov('--timeline', 'root.chat')).stdout).toMatch(/^digraph prov_timeline \{\n/);
    expect((await prov('--mermaid', 'root.chat')).stdout).toBe(read('a.mmd'));
    expect(readdirSync(path).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('shows hostile names as text', async () => {
    const { prov } = session('hostile-names');
    for (const words of [['-e', '-f'], ['-c', '-e', '-l'], ['--dot'], ['--mermaid'], ['--timeline']]) {
      const { code, stdout } = await prov(...words, 'root.chat');
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/[\0-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect((await prov('-e', 'root.chat')).stdout).toContain('in␊ject<U+202E>-->');
  });

  it('tells warnings on standard error, the first ones unless all are asked for', async () => {
    const bad = Array.from(
      { length: 9 },
      (_, index) => `function_call_output: {"id":"b${index}","content":"x","meta":"oops"}\n`,
    );
    const { path: cwd } = folder({ 'x.chat': `user: q\n${bad.join('')}meta: pt=1 ct=1 tt=2\nassistant: a\n` });
    const short = await runCli(['prov', 'x.chat'], { cwd });
    expect(short.code).toBe(0);
    expect(short.stderr.match(/agent_meta receipt: not_an_array/g)).toHaveLength(5);
    expect(short.stderr).toContain('9 warnings, 4 not shown: --verbose tells all');
    expect((await runCli(['prov', '--verbose', 'x.chat'], { cwd })).stderr.match(/not_an_array/g)).toHaveLength(9);
    const strict = await runCli(['prov', '--strict', 'x.chat'], { cwd });
    expect({ code: strict.code, stdout: strict.stdout }).toEqual({ code: 1, stdout: '' });
    expect(strict.stderr).toContain('not_an_array');
  });

  it('follows what it is told to', async () => {
    const { prov } = session();
    expect((await prov('--follow', 'job', 'root.chat')).stdout).not.toContain('delegated-job');
    const all = (await prov('root.chat')).stdout;
    for (const words of ['all', ',', 'job agent_job dependency log result'])
      expect((await prov('--follow', words, 'root.chat')).stdout).toBe(all);
  });

  it("shows each node's own tokens and cost in a list, too", async () => {
    const { stdout } = await session().prov('-c', '-f', 'root.chat');
    expect(stdout).toMatch(/^\[ 3\] Chat {2}root\.chat +345 [0-9a-f]{8} cost=\$0\.\d+\+unknown\(1 of 3\)$/m);
    expect(stdout).toMatch(/^\[ 4\] Chat {2}society Critic\/one +15 [0-9a-f]{8} cost=unknown$/m);
  });

  it.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    ['a chat in UTF-16', Buffer.from('user: Go.\nmeta: tt=1\n', 'utf16le')],
  ])('says of %s that it is no text', async (_, bytes) => {
    const { path: cwd, join: at } = folder();
    writeFileSync(at('x.chat'), bytes);
    const { code, stderr } = await runCli(['prov', 'x.chat'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: not_text: \S+x\.chat is no text in UTF-8.*\n$/);
    expect((await runCli(['prov', '--strict', 'x.chat'], { cwd })).code).toBe(1);
  });

  it('keeps what it read where that is asked for', async () => {
    const { path } = session();
    const environment = { HOME: folder().path };
    const place = join(environment.HOME, '.colophon/var/cache/provenance');
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(path, 'root.chat'), old, old);
    const run = (...words: string[]) => runCli(['prov', ...words, 'root.chat'], { cwd: path, environment });
    const first = await run();
    expect(existsSync(place)).toBe(false);
    expect((await run('--index')).stdout).toBe(first.stdout);
    expect(existsSync(place)).toBe(true);
    expect((await run('--index')).stdout).toBe(first.stdout);
  });

  it.each([
    [[], 2, /FILE is missing/],
    [['nowhere.chat'], 1, /there is no file nowhere\.chat/],
    [['--plot', 'a.pdf', 'root.chat'], 2, /a\.pdf.*\.svg, \.png/],
    [['--plot', 'root.chat'], 2, /FILE is missing/],
    [['--follow', 'job,jobs', 'root.chat'], 2, /jobs is no relation.*agent_job/],
    [['--follow', 'all,job', 'nowhere.chat'], 2, /all is no relation/],
    [['.'], 1, /folder/],
  ])('tells what is wrong with %j', async (words, exit, pattern) => {
    const { prov } = session();
    const { code, stdout, stderr } = await prov(...words);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('has help and completion', async () => {
    const help = (await runCli(['prov', '--help'])).stdout;
    expect(help).toMatch(/-e, --evidence/);
    expect(help).toMatch(/^ {6}--endpoint NAME/m);
    const { stdout } = await runCli(['complete', '--', 'prov', '--t']);
    expect(stdout).toContain('--timeline');
    const { path: cwd } = folder({ 'chats/lib.chat': 'user: x' });
    expect((await runCli(['complete', '--', 'prov', '--dot', ''], { cwd })).stdout).toContain('lib.chat');
  });
});

describe('prov --live', () => {
  it('shows jobs that are waited for, open calls and notes, and nothing where nothing goes on', async () => {
    const { path, prov, join: at } = session();
    const quiet = await prov('--live', 'root.chat');
    expect(quiet.stdout).not.toContain('Live');
    expect(quiet.stderr).toContain('nothing goes on now');
    writeFileSync(
      at('root.chat'),
      `${readFileSync(at('root.chat'), 'utf8')}\nuser: more\nfunction_call: {"name":"search","arguments":{},"id":"s1"}\n`,
    );
    mkdirSync(at('root.inbox'));
    writeFileSync(at('root.inbox/note'), 'be brief');
    writeFileSync(at('root.jobs'), 'Lab/ask/running.chat\nLab/ask/nowhere\nLab/ask/dead\n');
    const running = { type: 'chat', status: 'start', pid: process.pid, pid_hostname: hostname() };
    writeFileSync(at('var/jobs/Lab/ask/running.chat.info'), info(running));
    writeFileSync(
      at('var/jobs/Lab/ask/dead.info'),
      info({ type: 'string', status: 'start', pid: 2 ** 22 + 1, pid_hostname: hostname() }),
    );
    const { code, stdout } = await prov('--live', 'root.chat');
    expect(code).toBe(0);
    const live = stdout.split('\nLive\n====\n')[1]!;
    expect(live).toMatch(/^ {2}dangling_job {1,}Lab\/ask\/nowhere {2,}not found {6}\.jobs$/m);
    expect(live).toMatch(/^ {2}agent_active {1,}\S*root\.chat {1,}1 open: search {1,}messages$/m);
    expect(live).toMatch(/^ {2}inbox {8}\S*root\.chat {1,}1 waiting {6}inbox$/m);
    expect(live).toContain('Lab/ask/running.chat');
    const json = JSON.parse((await prov('--live', '--json', 'root.chat')).stdout);
    expect(json.live.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['dangling_job', 'agent_active', 'inbox']),
    );
    expect(path).toBeTruthy();
  });

  it('shows what goes on around a chat that is not yet written', async () => {
    const { path: cwd } = folder({ 'new.jobs': 'Lab/ask/nowhere\n' });
    const { code, stdout, stderr } = await runCli(['prov', '--live', 'new.chat'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Live\n====\n {2}dangling_job Lab\/ask\/nowhere/);
    expect((await runCli(['prov', 'new.chat'], { cwd })).code).toBe(1);
  });
});
