import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCli } from './built-cli.js';
import { folder } from './folder.js';

const home = (files: Record<string, string | Uint8Array> = {}) => {
  const made = folder(files);
  return { ...made, environment: { HOME: made.path } };
};

describe('config', () => {
  it('sets, shows, gets and takes out entries of your own root', async () => {
    const { path, read, environment } = home({ '.colophon/etc/config': '# mine\nepoch_size 30\n' });
    const config = (...words: string[]) =>
      runCli(['config', ...words], { environment, cwd: folder({ 'etc/config': 'model local-one ask\n' }).path });
    expect((await config('set', 'endpoint', 'r', 'ask')).code).toBe(0);
    expect((await config('set', 'endpoint', 'a name', 'ask')).stderr).toContain(
      `${path}/.colophon/etc/config: endpoint ask is a name`,
    );
    expect(read('.colophon/etc/config')).toBe('# mine\nepoch_size 30\nendpoint "a name" ask\n');
    expect((await config('get', 'endpoint', 'ask')).stdout).toBe('a name\n');
    const shown = (await config()).stdout;
    expect(shown).toMatch(/^KEY +VALUE +TOKENS +FROM$/m);
    expect(shown).toMatch(/^model +local-one +ask +etc\/config:1$/m);
    expect(JSON.parse((await config('--json')).stdout)).toHaveLength(3);
    await config('unset', 'endpoint', 'ask');
    expect(read('.colophon/etc/config')).toBe('# mine\nepoch_size 30\n');
  });

  it.each([
    [['get', 'nothing'], 1, 'nothing is not configured'],
    [['get'], 2, 'name the key'],
    [['set', 'key'], 2, 'name a key and its value'],
    [['put'], 2, 'show, get, set, unset'],
  ])('tells what is wrong with %j', async (words, exit, line) => {
    const { code, stdout, stderr } = await runCli(['config', ...words]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(line);
  });

  it('names the line of a file that can not be read', async () => {
    const { environment } = home({ '.colophon/etc/config': 'a b\nalone\n' });
    const { code, stderr } = await runCli(['config'], { environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(/config:2: /);
  });

  it('gives the endpoint that is asked, after the environment and the call', async () => {
    const { environment, path: cwd } = home({
      '.colophon/etc/config': 'endpoint one ask\n',
      '.colophon/etc/AI/one.yaml': 'backend: replay\nscript: one.chat\n',
      '.colophon/etc/AI/two.yaml': 'backend: replay\nscript: two.chat\n',
      'one.chat': 'user: q\nassistant: ONE',
      'two.chat': 'user: q\nassistant: TWO',
    });
    expect((await runCli(['ask', 'hi'], { environment, cwd })).stdout).toBe('ONE\n');
    expect(
      (await runCli(['ask', 'hi'], { environment: { ...environment, COLOPHON_ENDPOINT: 'two' }, cwd })).stdout,
    ).toBe('TWO\n');
    expect((await runCli(['ask', '-e', 'two', 'hi'], { environment, cwd })).stdout).toBe('TWO\n');
  });

  it('loads no program that the working folder names', async () => {
    const { path: cwd } = folder({
      'etc/config': 'backend ./evil.mjs ask\n',
      'evil.mjs': 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");',
    });
    expect((await runCli(['ask', 'hi'], { cwd })).code).toBe(1);
    expect(existsSync(`${cwd}/ran`)).toBe(false);
  });
});

describe('endpoints', () => {
  it('lists files and environment, without keys', async () => {
    const { environment } = home({ '.colophon/etc/AI/mine.yaml': 'backend: openai\nmodel: m1\nkey: sk-canary-1\n' });
    const { path: cwd } = folder({
      'etc/AI/cloned.yaml': 'backend: openai\nurl: https://evil.example/v1\n',
      'etc/AI/bad.yaml': 'a: [\n',
    });
    const options = { cwd, environment: { ...environment, ANTHROPIC_API_KEY: 'sk-canary-2' } };
    const { code, stdout } = await runCli(['endpoints'], options);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mine +openai +m1 .*in the file/m);
    expect(stdout).toMatch(/cloned: url not counted/);
    expect(stdout).toMatch(/bad: .*bad\.yaml: no valid YAML/);
    expect(stdout).toContain('-b anthropic  by ANTHROPIC_API_KEY');
    const json = (await runCli(['endpoints', '--json'], options)).stdout;
    expect(JSON.parse(json).environment).toEqual([{ backend: 'anthropic', names: ['ANTHROPIC_API_KEY'] }]);
    expect(stdout + json).not.toContain('canary');
  });

  it('says whether they answer', async () => {
    const server = createServer((_, response) => response.end('{"models":[]}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { path: cwd } = folder({
      'etc/AI/up.yaml': `backend: ollama\nmodel: m\nurl: http://127.0.0.1:${port}\n`,
      'etc/AI/down.yaml': 'backend: ollama\nmodel: m\nurl: http://127.0.0.1:9\n',
    });
    const { stdout } = await runCli(['endpoints', '--check'], { cwd });
    server.close();
    expect(stdout).toMatch(/up: answers \(200\)/);
    expect(stdout).toMatch(/down: does not answer/);
  });

  it('says what to do where there is none', async () => {
    const { code, stdout, stderr } = await runCli(['endpoints']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('set OPENAI_API_KEY');
  });
});

describe('doctor', () => {
  it('finds nothing to do in an empty home', async () => {
    const { code, stdout } = await runCli(['doctor']);
    expect(stdout).toContain(`✓ node`);
    expect(stdout).toMatch(/✓ package openai +loads/);
    expect(stdout).toContain('no endpoint and no key');
    expect(code).toBe(0);
  });

  it('says what has to be done, and exits with 1', async () => {
    const gone = spawnSync(process.execPath, ['-e', '0']).pid;
    const hold = JSON.stringify({
      pid: gone,
      host: spawnSync('hostname', { encoding: 'utf8' }).stdout.trim(),
      since: '2026-01-01T00:00:00Z',
    });
    const { path: cwd, join } = folder({ '.x.chat.hold': hold, 'etc/AI/bad.yaml': '- a\n' });
    const { code, stdout } = await runCli(['doctor'], { cwd, environment: { OPENAI_API_KEY: 'sk-canary' } });
    expect(code).toBe(1);
    expect(stdout).toContain(`→ remove ${join('.x.chat.hold')}`);
    expect(stdout).toContain('→ mend etc/AI/bad.yaml');
    expect(stdout).toContain('OPENAI_API_KEY set');
    const { good, findings } = JSON.parse((await runCli(['doctor', '--json'], { cwd })).stdout);
    expect(good).toBe(false);
    expect(findings.filter(({ state }: { state: string }) => state === 'bad')).toHaveLength(2);
    expect(stdout).not.toContain('canary');
  });
});

describe('simulate', () => {
  const chat = Array.from(
    { length: 6 },
    (_, index) => `user: question ${index}\nmeta: pt=${100 * (index + 1)} ct=10\nassistant: answer ${index}\n`,
  ).join('');

  it('compares strategies in a table', async () => {
    const { path: cwd } = folder({ 'x.chat': chat });
    const { code, stdout, stderr } = await runCli(['simulate', 'x.chat'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^STRATEGY +SENT +FROM CACHE/);
    expect(stdout).toMatch(/^none .* 100 %/m);
    expect(stdout).toMatch(/^shorten_tools_epoch_increment /m);
    expect(stderr).toMatch(/^6 requests/);
    const { strategies } = JSON.parse(
      (await runCli(['simulate', 'x.chat', '-s', 'none', '-p', 'openai', '--json'], { cwd })).stdout,
    );
    expect(strategies).toMatchObject([{ strategy: 'none', relative: 1 }]);
  });

  it.each([
    [['nowhere.chat'], 1, /there is no file/],
    [['.'], 1, /director|folder/],
    [['x.chat', '-s', 'shorten'], 1, /shorten.*shorten_tools/],
    [['x.chat', '-p', 'acme'], 2, /acme.*anthropic/],
  ])('tells what is wrong with %j', async (words, exit, pattern) => {
    const { path: cwd } = folder({ 'x.chat': chat });
    const { code, stdout, stderr } = await runCli(['simulate', ...words], { cwd });
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('completion', () => {
  const offered = async (words: string[], options: Parameters<typeof runCli>[1] = {}) => {
    const { stdout } = await runCli(['complete', '--', ...words], options);
    const lines = stdout.trimEnd().split('\n');
    return { values: lines.slice(0, -1).map((line) => line.split('\t')[0]), directive: lines.at(-1) };
  };

  it('knows commands, groups, options, choices', async () => {
    expect((await offered(['ch'])).values).toEqual(['chat']);
    expect((await offered(['chat', ''])).values).toEqual(['print', 'json', 'md', 'compile', 'check', 'fork']);
    expect((await offered(['chat', 'compile', '--pol'])).values).toEqual(['--policy']);
    expect((await offered(['chat', 'compile', '--policy', ''])).values).toEqual(['read', 'run', 'inspect']);
    expect((await offered(['--root', 'x', 'completion', ''])).values).toEqual(['bash', 'zsh', 'fish']);
    expect((await offered([''])).values).not.toContain('complete');
  });

  it('knows the endpoints, backends and chats of this machine, and lets files in', async () => {
    const { path: cwd } = folder({ 'etc/AI/mine.yaml': 'backend: replay', 'chats/lib.chat': 'user: x' });
    expect(await offered(['ask', '-e', ''], { cwd })).toEqual({ values: ['mine'], directive: ':4' });
    expect((await offered(['ask', '-b', 'an'], { cwd })).values).toEqual(['anthropic']);
    expect(await offered(['ask', '-c', 'l'], { cwd })).toEqual({ values: ['lib.chat'], directive: ':0' });
    expect(await offered(['chat', 'md', ''], { cwd })).toEqual({ values: ['lib.chat'], directive: ':0' });
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('colophon complete --');
  });

  it('works in bash, whatever was typed', async () => {
    const { path: cwd, join } = folder();
    const { stdout } = await runCli(['completion', 'bash']);
    writeFileSync(join('script'), stdout);
    const calls = `colophon() { printf '%s\\n' "$@" > "${cwd}/words"; printf 'print\\tx\\n:4\\n'; }
source "${cwd}/script"; source "${cwd}/script"
COMP_WORDS=(colophon ask "it's \\$(touch ${cwd}/ran)" ''); COMP_CWORD=3; COMPREPLY=()
__colophon_complete 2>/dev/null; echo "\${COMPREPLY[*]}"; complete -p colophon`;
    const run = spawnSync('bash', ['-c', calls], { encoding: 'utf8' });
    expect(run.stdout).toBe('print\ncomplete -o default -F __colophon_complete colophon\n');
    expect(run.stderr).toBe('');
    expect(existsSync(join('ran'))).toBe(false);
    expect(statSync(join('words')).size).toBeGreaterThan(0);
  });
});
