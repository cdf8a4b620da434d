import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptedServer } from '@colophon/backends/testing';
import { pairToolCalls, parseChat } from '@colophon/chat-format';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTextStream } from '../src/demo/stream-text.js';
import { runCli } from './built-cli.js';
import { folder } from './folder.js';

const assets = join(dirname(dirname(fileURLToPath(import.meta.url))), 'assets', 'demo');

const chatOf = (stdout: string): string => {
  const path = /^ {2}(\/.*library\.chat)$/m.exec(stdout)![1]!;
  onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }));
  return path;
};

describe('demo', () => {
  it('shows a session from the file to its evidence, without key or network', async () => {
    const { code, stdout, stderr } = await runCli(['demo']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const chat = chatOf(stdout);
    expect(stdout).toContain('are a recording');
    expect(stdout).toContain('→ describe_table file=loans.csv');
    expect(stdout).toContain('← summarise_table [{"branch":"Harbour","sum_overdue":389}');
    expect(stdout).toMatch(/^ {2}import: house-style\.chat +system: Answer in/m);
    expect(stdout).toMatch(/^ {2}meta: .*\(kept here, never sent\)$/m);
    expect(stdout).toContain('prompt=1802 completion=183 total=1985 cached=896');
    expect(stdout).toMatch(/^ {3}chat evidence=2K .* library\.chat$/m);
    expect(stdout).toContain('  root deduplicated_total=2K (3 events)');
    expect(stdout).toMatch(/^ {2}total +1,985 +1,802 +896 +183 /m);
    expect(stdout).toMatch(/^ {2}3 tool calls /m);
    expect(stdout).toContain('`deduplicated_total` is the one cost: every inference once.');
    expect(stdout).not.toContain('\u001b[');
    expect(stdout).toMatch(/^ {2}tool: Tables +\(tools, sent beside it\)$/m);
    expect(stdout).toMatch(/^ {2}job {5}Tables\/describe_table\/Default_/m);
    const lines = stdout.split('\n').filter((line) => !line.includes('/colophon-demo-'));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);

    const roles = parseChat(readFileSync(chat, 'utf8')).map(({ role }) => role);
    expect(roles.filter((role) => role === 'meta')).toHaveLength(3);
    expect(roles.at(-1)).toBe('assistant');
  });

  it('ends with commands that work as they stand', async () => {
    const { stdout } = await runCli(['demo']);
    chatOf(stdout);
    const commands = stdout
      .split('Try next')[1]!
      .split('\n')
      .filter((line) => /^ {2}(?:node|colophon) /.test(line));
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      expect(
        execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).length,
      ).toBeGreaterThan(100);
    }
  });

  it('gives what the session left as JSON', async () => {
    const { code, stdout } = await runCli(['demo', '--json']);
    const { folder, text, stored, seen } = JSON.parse(stdout);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(code).toBe(0);
    expect(text).toContain('Hill');
    expect(stored.length).toBeGreaterThan(seen.length);
  });

  it('records what its tools say: jobs of the workflow that comes with it', async () => {
    const recorded = parseChat(readFileSync(join(assets, 'recorded.chat'), 'utf8'));
    const { stdout } = await runCli(['demo', '--json']);
    const { folder, stored } = JSON.parse(stdout);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const said = (pairs: ReturnType<typeof pairToolCalls>) => pairs.map(({ name, output }) => [name, output]);
    expect(said(pairToolCalls(stored))).toEqual(said(pairToolCalls(recorded)));
    for (const { envelope } of pairToolCalls(stored)) {
      expect(envelope?.['step']).toMatch(/^Tables\/(describe|summarise)_table\/Default_\w{32}\.json$/);
      expect(existsSync(join(folder, 'var/jobs', String(envelope?.['step'])))).toBe(true);
    }
  });

  it('leaves your own root and the working folder alone', async () => {
    const [home, cwd] = [folder(), folder()];
    const { code, stdout } = await runCli(['demo'], { cwd: cwd.path, environment: { HOME: home.path } });
    expect(code).toBe(0);
    chatOf(stdout);
    expect([...readdirSync(home.path), ...readdirSync(cwd.path)]).toEqual([]);
  });

  it('does the same with a live model, and offers it where there is one', async () => {
    const usage = { pt: 100, ct: 10 };
    const server = await scriptedServer([
      { calls: [{ name: 'describe_table', arguments: { file: '../loans.csv' } }], usage },
      { text: 'Hill, live.', usage },
    ]);
    onTestFinished(() => server.close());
    const environment = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: server.urls.responses };
    const { code, stdout, stderr } = await runCli(['demo', '--live'], { environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    chatOf(stdout);
    expect(stdout).toContain('A live model answers');
    expect(stdout).toContain('Hill, live.');
    expect(server.requests).toHaveLength(2);
    const offered = await runCli(['demo'], { environment });
    chatOf(offered.stdout);
    expect(offered.stdout).toContain('demo --live');
    expect(server.requests).toHaveLength(2);
  });

  it('says what a live model needs', async () => {
    const { code, stdout, stderr } = await runCli(['demo', '--live'], { environment: { OLLAMA_HOST: '127.0.0.1:9' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('set OPENAI_API_KEY or ANTHROPIC_API_KEY, or start Ollama');
  });
});

it('streamed text is broken at spaces and indented', () => {
  let written = '';
  const stream = createTextStream(
    (text) => {
      written += text;
    },
    12,
    '  ',
  );
  for (const piece of ['one t', 'wo thr', 'ee four', '\nfive']) stream.push(piece);
  stream.end();
  expect(written).toBe('  one two\n  three four\n  five\n');
});
