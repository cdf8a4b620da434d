import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { builtCli, runCli } from './built-cli.js';
import { openMcp } from './mcp-client.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const files = fileURLToPath(new URL('../../../fixtures/analyst/harbour/files', import.meta.url));

/** What tasks are asked for beside the chat. */
const inputs: Record<string, Record<string, unknown>> = {
  chat_tool_calls: { dedupe: true, page: 1, per_page: 2 },
  chat_accounting: { scope: 'closure' },
  chat_timeline: { bursts: '1,2' },
  chat_tokens: { follow: 'job,log' },
  meta_evidence: { origin: 'agent_meta' },
  message_content: { ids: ['root.chat#4', 'rules.chat#0'] },
  extract_chat_range: { start: 0, end: 4 },
  post_inbox_advice: { message: 'Mind the bar.', name: 'bar.md' },
};

const toWords = (input: Record<string, unknown>): string[] =>
  Object.entries(input).flatMap(([name, value]) => [value].flat().map((one) => `--${name}=${one}`));

/** A report without the time that has passed since files were written. */
const timeless = (report: unknown): unknown =>
  JSON.parse(JSON.stringify(report), (key, value) => (key === 'age' ? undefined : value));

type Way = (task: string, input: Record<string, unknown>) => Promise<unknown>;

let path: string;
let close: () => Promise<void>;
let ways: Record<'as a function' | 'typed' | 'as a job of the workflow' | 'over MCP', Way>;

beforeAll(async () => {
  path = realpathSync(mkdtempSync(join(tmpdir(), 'ways-')));
  cpSync(files, path, { recursive: true });
  const cli = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(words, { cwd: path });
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: expect.any(String) });
    return stdout;
  };
  const server = await openMcp([process.execPath, builtCli(), 'mcp', 'analyst'], {
    cwd: path,
    environment: { HOME: join(path, 'nobody') },
  });
  close = server.close;
  ways = {
    'as a function': (task, input) =>
      runTask(task, { file: 'root.chat', ...input }, nodeAnalystContext({ workingDirectory: path }), tasks),
    typed: async (task, input) => JSON.parse(await cli('analyst', task, 'root.chat', '--json', ...toWords(input))),
    'as a job of the workflow': async (task, input) => {
      const text = await cli('workflow', 'run', 'Analyst', task, ...toWords({ file: 'root.chat', ...input }));
      // The command ends text with a line.
      return task === 'extract_chat_range' ? text.replace(/\n$/, '') : JSON.parse(text);
    },
    'over MCP': async (task, input) => {
      const { content, isError } = await server.call(task, { file: 'root.chat', ...input });
      expect({ task, isError: isError ?? false }).toEqual({ task, isError: false });
      const text = content.map((part) => part.text ?? '').join('');
      return task === 'extract_chat_range' ? text : JSON.parse(text);
    },
  };
});
afterAll(async () => {
  await close();
  rmSync(path, { recursive: true, force: true });
});

describe('a report is the same whichever way it is asked for', () => {
  it.each(Object.keys(tasks))('%s', async (task) => {
    const note = join(path, 'root.inbox', 'bar.md');
    const reports: Record<string, unknown> = {};
    for (const [name, way] of Object.entries(ways)) {
      reports[name] = timeless(await way(task, inputs[task] ?? {}));
      if (task === 'post_inbox_advice') rmSync(note);
    }
    const expected = reports['as a function'];
    expect(JSON.stringify(expected).length).toBeGreaterThan(20);
    expect(reports).toEqual(Object.fromEntries(Object.keys(ways).map((name) => [name, expected])));
  });
});

// Runs a program in a terminal of so many columns, and prints what it wrote there.
const terminal = `
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
out = b''
while True:
    try: part = os.read(fd, 65536)
    except OSError: break
    if not part: break
    out += part
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(status))
`;

describe.skipIf(spawnSync('python3', ['--version']).status !== 0)('on a terminal', () => {
  it.each([80, 100, 160])(
    'of %i columns a report is a table of that width, and nobody has to ask for it',
    (columns) => {
      for (const task of ['chat_report', 'chat_tokens', 'message_index']) {
        const { stdout, status } = spawnSync(
          'python3',
          ['-c', terminal, String(columns), process.execPath, builtCli(), 'analyst', task, 'root.chat'],
          { cwd: path, env: { PATH: process.env['PATH'], NO_COLOR: '1', TERM: 'xterm' }, encoding: 'utf8' },
        );
        expect(status).toBe(0);
        const lines = stdout.split(/\r?\n/);
        expect(lines.some((line) => line.includes('root.chat'))).toBe(true);
        for (const line of lines) if (!/^ {4}\S+$/.test(line)) expect([...line].length).toBeLessThanOrEqual(columns);
      }
    },
  );
});
