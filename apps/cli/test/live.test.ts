import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { renderLiveView } from '../src/live-view.js';
import { builtCli } from './built-cli.js';

// Runs a program in a terminal of its own, types into it, and prints all that it wrote.
const terminal = `
import os, pty, select, sys, time
keys = [k.encode().decode('unicode_escape').encode('latin-1') for k in sys.argv[1].split('|')]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
out = b''
def drain(seconds):
    global out
    end = time.time() + seconds
    while time.time() < end:
        if select.select([fd], [], [], 0.05)[0]:
            try: out += os.read(fd, 65536)
            except OSError: return False
    return True
drain(1.5)
for key in keys:
    os.write(fd, key)
    drain(0.6)
for _ in range(50):
    if not drain(0.2): break
    if os.waitpid(pid, os.WNOHANG)[0]: sys.stdout.buffer.write(out); sys.exit(0)
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(status))
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;

const folderWith = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'live-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'x.chat'), text);
  return folder;
};

const watch = (folder: string, keys: string) =>
  spawnSync('python3', ['-c', terminal, keys, process.execPath, builtCli(), 'live', 'x.chat'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: join(folder, 'home'), TERM: 'xterm', COLUMNS: '80', LINES: '24' },
    encoding: 'utf8',
    timeout: 60_000,
  });

const session = 'user: go\n\nmeta: pt=10 ct=2 tt=12 inference_id=i1 model=m\n\nassistant: it is \u001b[31mrye\n';

describe.skipIf(!hasPython)('a running session in a terminal', () => {
  beforeAll(() => {
    builtCli();
  }, 300_000);

  test('is watched, advised and asked to stop from the keyboard, and the terminal is left as it was', () => {
    const folder = folderWith(session);
    const { stdout, status } = watch(folder, 'a|mind the salt|\\r|x|shop is closed|\\r|q');
    expect(status).toBe(0);
    expect(stdout).toContain('12 tokens, 1 inferences, 1 chats');
    expect(stdout).toContain('assistant: it is ');
    expect(stdout).not.toContain('\u001b[31m');
    expect(stdout).toContain('\u001b[?1049h');
    expect(stdout.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?1049h'));
    const notes = readdirSync(join(folder, 'x.inbox')).sort();
    const texts = notes.map((name) => readFileSync(join(folder, 'x.inbox', name), 'utf8').trim());
    expect(texts.sort()).toEqual(['mind the salt', 'shop is closed']);
    expect(notes).toContain('abort');
  });

  test('nothing is left where nothing was typed, and Ctrl-C leaves', () => {
    const folder = folderWith(session);
    const { status } = watch(folder, 'a|\\r|x|reason|\\x1b|\\x03');
    expect(status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['home', 'x.chat']);
  });
});

test('the screen has its size, and no line of it moves the cursor', () => {
  const state = {
    chats: Array.from({ length: 30 }, (_, index) => ({
      path: `/${index}`,
      shown: `chat ${index}\u001b[2J`,
      age: index * 1000,
    })),
    chosen: 20,
    tail: Array.from({ length: 50 }, (_, index) => `assistant: ${index} ${'wide '.repeat(50)}\u0007`),
    tokens: { total: 1_234_567, events: 3 },
    work: [],
  };
  for (const [columns, rows] of [
    [80, 24],
    [20, 8],
    [5, 3],
    [200, 60],
  ] as const) {
    const lines = renderLiveView(state, { columns, rows });
    expect(lines).toHaveLength(rows);
    for (const line of lines) {
      expect([...line].length).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/\p{Cc}/u);
    }
  }
  expect(renderLiveView(state, { columns: 80, rows: 24 }).some((line) => line.startsWith('›'))).toBe(true);
});
