import { chmodSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from './built-cli.js';
import { folder } from './folder.js';

const hello = 'system: You are brief.\nuser: hi\n\nassistant:\n\nhello\n\n```js\nlet x\n';
const printed = '\nsystem:\n\nYou are brief.\n\nuser:\n\nhi\n\nassistant:\n\nhello\n\n\\```js\nlet x\n';

describe('chat print and chat json', () => {
  it('print the canonical text, and go through JSON and back', async () => {
    const { path: cwd } = folder({ 'hello.chat': hello });
    expect(await runCli(['chat', 'print', 'hello.chat'], { cwd })).toEqual({
      code: 0,
      signal: null,
      stdout: printed,
      stderr: '',
    });
    const json = await runCli(['chat', 'json', 'hello.chat'], { cwd });
    expect(JSON.parse(json.stdout)).toEqual([
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello\n\n```js\nlet x' },
    ]);
    expect((await runCli(['chat', 'print', '--from', 'json', '-'], { cwd, input: json.stdout })).stdout).toBe(printed);
  });

  it('read a .json file, write with -o, and find the chats of the library', async () => {
    const { path: cwd, read } = folder({
      'm.json': '[{"role":"user","content":{"a":1}},{"role":"meta","content":null}]',
      'chats/lib.chat': 'user: found',
    });
    expect((await runCli(['chat', 'print', 'm.json', '-o', 'new/m.chat'], { cwd })).stdout).toBe('');
    expect(read('new/m.chat')).toBe('\nuser:\n\n{"a":1}\n\nmeta:\n\n\\&\n');
    expect((await runCli(['chat', 'md', 'lib'], { cwd })).stdout).toBe('## User\n\nfound\n');
  });

  it.each([
    ['{"role":"user"}', 'm.json: holds no list of messages'],
    ['[1]', 'message 0 is no object'],
    ['[{"content":"x"}]', 'message 0 has no role'],
    ['[{"role":"Bad Role","content":"x"}]', 'is no role'],
    ['not json', 'm.json: not JSON'],
  ])('say what is wrong with the JSON %s', async (text, message) => {
    const { path: cwd } = folder({ 'm.json': text });
    const { code, stdout, stderr } = await runCli(['chat', 'print', 'm.json'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('chat md', () => {
  it('shows user and assistant, and closes a fence that a message leaves open', async () => {
    const { path: cwd } = folder({ 'hello.chat': hello });
    expect((await runCli(['chat', 'md', 'hello.chat'], { cwd })).stdout).toBe(
      '## User\n\nhi\n\n## Assistant\n\nhello\n\n```js\nlet x\n```\n',
    );
  });

  it('shows the last exchange alone', async () => {
    const { path: cwd } = folder({ 'two.chat': 'user: one\nassistant: 1\nuser: two\nmeta: pt=1\nassistant: 2\n' });
    expect((await runCli(['chat', 'md', '-l', 'two.chat'], { cwd })).stdout).toBe(
      '## User\n\ntwo\n\n## Assistant\n\n2\n',
    );
  });
});

describe('chat compile', () => {
  const files = {
    'a.chat': 'import: b\nfile: x.txt\noption: temperature 0.5\nuser: hi\n',
    'b.chat': 'system: you\n',
    'x.txt': 'text',
  };

  it('prints what a chat compiles to, or options and messages as JSON', async () => {
    const { path: cwd } = folder(files);
    const { stdout } = await runCli(['chat', 'compile', 'a.chat'], { cwd });
    expect(stdout).toBe(
      '\nsystem:\n\nyou\n\nuser:\n\n<file name="x.txt">\ntext\n</file>\n\noption: temperature 0.5\n\nuser:\n\nhi\n',
    );
    const { options, messages } = JSON.parse((await runCli(['chat', 'compile', '--json', 'a'], { cwd })).stdout);
    expect(options).toEqual({ temperature: 0.5 });
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'user']);
  });

  it('executes nothing unless it is told to', async () => {
    const { path: cwd } = folder({ 't.chat': 'user: hi\nexec_task: W t\n' });
    const read = await runCli(['chat', 'compile', 't.chat'], { cwd });
    expect(read.code).toBe(1);
    expect(read.stderr).toMatch(/t\.chat:2: exec_task:.*policy `read`/);
    expect((await runCli(['chat', 'compile', 't.chat', '--policy', 'run'], { cwd })).stderr).toContain('workflow');
    expect((await runCli(['chat', 'compile', 't.chat', '--policy', 'inspect'], { cwd })).stdout).toContain(
      'exec_task: W t',
    );
    expect((await runCli(['chat', 'compile', 't.chat', '--policy', 'all'], { cwd })).code).toBe(2);
  });

  it('shows the chain of a cycle', async () => {
    const { path: cwd } = folder({ 'a.chat': 'import: b.chat', 'b.chat': 'user: x\nimport: a.chat' });
    const { code, stderr } = await runCli(['chat', 'compile', 'a.chat'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('a.chat:1 → b.chat:2 → a.chat');
  });

  it('refuses a binary file in file:', async () => {
    const { path: cwd } = folder({ 'a.chat': 'file: x.bin', 'x.bin': new Uint8Array([0, 255, 254, 1]) });
    const { code, stderr } = await runCli(['chat', 'compile', 'a.chat'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/a\.chat:1: file:.*not text.*image/);
  });
});

describe('chat check', () => {
  it('reports problems with file and line, and exits with 1', async () => {
    const { path: cwd } = folder({
      'bad.chat': 'user: hi\nimport: nowhere.chat\nelse:\n\nbla\n',
      'good.chat': hello.replace('```js\nlet x\n', ''),
    });
    const { code, stdout, stderr } = await runCli(['chat', 'check', 'bad.chat', 'good.chat'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad\.chat:2: missing_file `import: nowhere\.chat` names a file that is not there$/m);
    expect(stdout).toMatch(/^bad\.chat:3: unknown_role .*else/m);
    expect(stdout).not.toContain('good.chat');
    expect(stderr).toContain('2 problems in 2 files');
    const json = JSON.parse((await runCli(['chat', 'check', '--json', 'bad.chat'], { cwd })).stdout);
    expect(json[0].problems.map(({ code: problem, line }: { code: string; line: number }) => [problem, line])).toEqual([
      ['missing_file', 2],
      ['unknown_role', 3],
    ]);
  });

  it('finds nothing wrong with a good chat', async () => {
    const { path: cwd } = folder({ 'good.chat': 'user: hi\n' });
    expect(await runCli(['chat', 'check', 'good.chat'], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'no problems in 1 file\n',
    });
  });

  it('mends what is safe to mend', async () => {
    const { path: cwd, read } = folder({ 'bad.chat': 'user:\n\nsee\nerror: disk full\n' });
    expect((await runCli(['chat', 'check', 'bad.chat'], { cwd })).code).toBe(1);
    const { code, stderr } = await runCli(['chat', 'check', '--fix', 'bad.chat'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'no problems in 1 file, 1 mended\n' });
    expect(read('bad.chat')).toBe('user:\n\nsee\n\\error: disk full\n');
  });
});

describe('chat fork', () => {
  const chat = 'user: one\nassistant: 1\nuser: two\nassistant: 2\n';

  it('lists the messages with their numbers', async () => {
    const { path: cwd } = folder({ 'x.chat': chat });
    const { stdout } = await runCli(['chat', 'fork', 'x.chat'], { cwd });
    expect(stdout.trimEnd().split('\n')).toEqual([
      '0  user                  one',
      '1  assistant             1',
      '2  user                  two',
      '3  assistant             2',
    ]);
  });

  it('starts a new chat at a message, and writes over nothing', async () => {
    const { path: cwd, read } = folder({ 'x.chat': chat });
    expect((await runCli(['chat', 'fork', 'x.chat#1'], { cwd })).stdout).toBe('x-1.chat\n');
    expect(read('x-1.chat')).toBe('\nuser:\n\none\n\nassistant:\n\n1\n');
    const again = await runCli(['chat', 'fork', 'x.chat#1'], { cwd });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('x-1.chat exists');
    expect((await runCli(['chat', 'fork', 'x.chat#2', 'x-1.chat', '--force', '--json'], { cwd })).stdout).toContain(
      '"messages":3',
    );
    expect((await runCli(['chat', 'fork', 'x.chat#4'], { cwd })).stderr).toContain('has no message 4; its last is 3');
  });

  it('says when the fork ends in a call without output', async () => {
    const { path: cwd } = folder({
      'x.chat':
        'user: a\nfunction_call: {"name":"t","arguments":{},"id":"1"}\nfunction_call_output: {"name":"t","content":"x","id":"1"}\n',
    });
    expect((await runCli(['chat', 'fork', 'x.chat#1'], { cwd })).stderr).toContain('without its output');
    expect((await runCli(['chat', 'fork', 'x.chat#2'], { cwd })).stderr).toBe('');
  });
});

describe.each(['print', 'json', 'md', 'compile', 'check', 'fork'])(
  'chat %s tells of bad input in one line:',
  (name) => {
    const run = async (file: string, cwd: string, options = {}) => {
      const { code, stdout, stderr } = await runCli(['chat', name, file], { cwd, ...options });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toMatch(/\bat .*\.js/);
      return stderr;
    };

    it('a file that is not there', async () => {
      expect(await run('nowhere.chat', folder().path)).toContain('there is no file nowhere.chat; looked in ., chats,');
      expect(await run('./nowhere.chat', folder().path)).toBe('colophon: there is no file ./nowhere.chat\n');
    });

    it('a folder', async () => {
      expect(await run('.', folder().path)).toMatch(/directory|folder/);
    });

    it('bytes that are no text', async () => {
      const { path } = folder({ 'x.bin': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0]) });
      expect(await run('x.bin', path)).toMatch(/UTF-8/);
    });

    it('a file that may not be read', async () => {
      const { path, join } = folder({ 'x.chat': 'user: hi' });
      chmodSync(path, 0o755);
      chmodSync(join('x.chat'), 0);
      expect(await run('x.chat', path, { unprivileged: true })).toMatch(/permission denied/);
    });
  },
);

it('an output that can not be written leaves nothing behind', async () => {
  const { path: cwd, join } = folder({ 'x.chat': 'user: hi', plain: '' });
  const { code, stderr } = await runCli(['chat', 'print', 'x.chat', '-o', 'plain/y.chat'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/plain\/y\.chat/);
  expect(existsSync(join('plain/y.chat'))).toBe(false);
});
