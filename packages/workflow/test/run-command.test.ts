import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type ColophonError,
  type CommandLine,
  type CommandOptions,
  commandEnvironment,
  type Inputs,
  runCommand,
} from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runExample } from '../../../tests/checks/run-example.js';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'command-')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
const run = async (command: CommandLine, inputs: Inputs = {}, options: Partial<CommandOptions> = {}) =>
  runCommand(command, inputs, { workingDirectory: place, ...options });
const failure = (command: CommandLine, inputs?: Inputs, options?: Partial<CommandOptions>): Promise<ColophonError> =>
  run(command, inputs, options).then(
    () => {
      throw new Error('it did not fail');
    },
    (error: ColophonError) => error,
  );

/** Tells its words, some variables and its input as JSON. */
const teller = (): string => {
  const file = join(place, 'tell.cjs');
  writeFileSync(
    file,
    `let stdin = ''; process.stdin.setEncoding('utf8').on('data', (d) => (stdin += d)).on('end', () =>
       process.stdout.write(JSON.stringify({ words: process.argv.slice(2), variables: { ...process.env }, stdin })));`,
  );
  return file;
};
const told = async (inputs: Inputs, passing?: CommandLine['passing'], options?: Partial<CommandOptions>) => {
  const argv = [process.execPath, teller()];
  const { output } = await run({ argv, ...(passing ? { passing } : {}) }, inputs, options);
  return JSON.parse(text(output));
};

const isAlive = (pid: number): boolean => {
  try {
    return !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
const pidIn = async (name: string): Promise<number> => {
  for (;;) {
    const pid = Number(
      statSync(join(place, name), { throwIfNoEntry: false }) ? readFileSync(join(place, name), 'utf8') : 0,
    );
    if (pid > 0) return pid;
    await wait(10);
  }
};

describe('inputs go', () => {
  test('as flags', async () => {
    const inputs = {
      flour: 300,
      fan: true,
      light: false,
      note: 'two words',
      grain: ['rye', 'oat'],
      spec: { a: [1] },
      none: null,
      absent: undefined,
      empty: '',
      list: [],
    };
    expect((await told(inputs)).words).toEqual([
      '--flour',
      '300',
      '--fan',
      '--note',
      'two words',
      '--grain',
      'rye',
      '--grain',
      'oat',
      '--spec',
      '{"a":[1]}',
      '--empty',
      '',
    ]);
  });

  test('as one word with the flag where a value begins with a dash', async () => {
    expect((await told({ degrees: -5, file: '--force', list: ['-x', 'y'] })).words).toEqual([
      '--degrees=-5',
      '--file=--force',
      '--list=-x',
      '--list',
      'y',
    ]);
  });

  test('as variables', async () => {
    const inputs = { flour: 1.5, 'oven-heat': true, light: false, grain: ['rye', 'oat'], note: 'a\nb $HOME `id`' };
    const passing = Object.fromEntries(Object.keys(inputs).map((name) => [name, 'environment' as const]));
    const { words, variables } = await told(inputs, passing);
    expect(words).toEqual([]);
    expect(variables).toMatchObject({
      FLOUR: '1.5',
      OVEN_HEAT: 'true',
      LIGHT: 'false',
      GRAIN: '["rye","oat"]',
      NOTE: 'a\nb $HOME `id`',
    });
  });

  test('on standard input', async () => {
    expect(await told({ text: 'ä\n', n: 1 }, { text: 'stdin' })).toMatchObject({ stdin: 'ä\n', words: ['--n', '1'] });
    expect((await told({ rows: [[1], [2]] }, { rows: 'stdin' })).stdin).toBe('[[1],[2]]');
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { output } = await run({ argv: ['cat'], passing: { bytes: 'stdin' } }, { bytes });
    expect(Uint8Array.from(output!)).toEqual(bytes);
    expect((await told({}, {}, { stdin: 'given' })).stdin).toBe('given');
    expect((await told({})).stdin).toBe('');
  });

  test('to a script as variables and as "$@"', async () => {
    const { output } = await run({ script: 'printf "%s|" "$FLOUR" "$0" "$@"' }, { flour: 3, note: 'a b' });
    expect(text(output)).toBe('3|sh|--flour|3|--note|a b|');
    const passing = { flour: 'flag', note: 'environment' } as const;
    const named = await run({ script: 'printf "%s|" "$FLOUR" "$NOTE" "$@"', passing }, { flour: 3, note: 'a b' });
    expect(text(named.output)).toBe('|a b|--flour|3|');
  });

  test.each<[string, CommandLine, Inputs, string]>([
    ['neither argv nor script', {}, {}, 'command_definition'],
    ['both', { argv: ['a'], script: 'a' }, {}, 'command_definition'],
    ['no program', { argv: [] }, {}, 'command_definition'],
    [
      'two standard inputs',
      { argv: ['cat'], passing: { a: 'stdin', b: 'stdin' } },
      { a: '1', b: '2' },
      'command_definition',
    ],
    ['NUL in a flag', { argv: ['echo'] }, { a: 'x\0y' }, 'command_input'],
    ['bytes in a flag', { argv: ['echo'] }, { a: new Uint8Array(1) }, 'command_input'],
    ['a function', { argv: ['echo'] }, { a: () => 1 }, 'command_input'],
    ['a name that is no flag', { argv: ['echo'] }, { '-rf /': 1 }, 'command_input'],
    ['the variable PATH', { script: 'ls' }, { path: '/tmp' }, 'command_input'],
    [
      'the variable LD_PRELOAD',
      { argv: ['ls'], passing: { ld_preload: 'environment' } },
      { ld_preload: 'x' },
      'command_input',
    ],
    ['two of one variable', { script: 'ls' }, { 'a-b': 1, a_b: 2 }, 'command_input'],
  ])('nowhere: %s', async (_, command, inputs, code) => {
    expect((await failure(command, inputs)).code).toBe(code);
  });

  test('nowhere when they are too long for a program', async () => {
    const error = await failure({ argv: ['echo'] }, { note: 'x'.repeat(3_000_000) });
    expect(error.code).toBe('command_missing');
    expect(error.message).toMatch(/longer than .* standard input/);
  });
});

describe('a program gets', () => {
  test('of the environment what it is given, nothing of this process', async () => {
    process.env['COLOPHON_TEST_KEY'] = 'secret';
    const { variables } = await told({}, {}, { environment: { LANG: 'C', LEFT: undefined } });
    delete process.env['COLOPHON_TEST_KEY'];
    expect(variables).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C' });
  });

  test('places and language of an environment, no keys', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      OPENAI_API_KEY: 'k',
      AWS_PROFILE: 'p',
      TZ: undefined,
      EXTRA: 'e',
    };
    expect(commandEnvironment(environment)).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C' });
    expect(commandEnvironment(environment, ['EXTRA'])).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C', EXTRA: 'e' });
  });

  test('through the context of this machine no key, unless it is named', () => {
    const environment = { PATH: '/bin', OPENAI_API_KEY: 'k', EXTRA: 'e' };
    expect(nodeContext({ roots: [place], environment }).environment).toEqual({ PATH: '/bin' });
    const named = nodeContext({ roots: [place], environment, passOn: ['EXTRA'] });
    expect(named.environment).toEqual({ PATH: '/bin', EXTRA: 'e' });
  });

  test('a working folder', async () => {
    expect(text((await run({ script: 'pwd' })).output)).toBe(`${place}\n`);
  });
});

describe('a program that fails', () => {
  test('tells its exit code and what it said last', async () => {
    const heard: string[] = [];
    const error = await failure(
      { script: 'seq 1 5000 >&2; echo partly; echo ü >&2; exit 3' },
      {},
      { onStderr: (chunk) => heard.push(chunk) },
    );
    expect(error).toMatchObject({ code: 'command_failed', facts: { exitCode: 3, signal: null } });
    expect(error.facts['stderr']).toBe([...Array.from({ length: 19 }, (_, index) => 4982 + index), 'ü'].join('\n'));
    expect(heard.join('').split('\n')).toHaveLength(5002);
  });

  test('tells the signal', async () => {
    expect(await failure({ script: 'kill -9 $$' })).toMatchObject({
      code: 'command_failed',
      facts: { exitCode: null, signal: 'SIGKILL' },
    });
  });

  test('that is not there is named, and so is a folder that is not', async () => {
    const error = await failure({ argv: ['no-such-program-here', 'x'] });
    expect(error).toMatchObject({ code: 'command_missing', facts: { program: 'no-such-program-here' } });
    expect(error.message).toContain('"no-such-program-here": there is no such program on the PATH');
    expect((await failure({ argv: [join(place, 'none')] })).message).toContain(
      'none": there is no such file, or not the interpreter that its first line names',
    );
    expect((await failure({ argv: ['ls'] }, {}, { workingDirectory: join(place, 'nowhere') })).message).toMatch(
      /no folder .*nowhere/,
    );
    writeFileSync(join(place, 'plain'), 'x');
    chmodSync(join(place, 'plain'), 0o644);
    expect((await failure({ argv: [join(place, 'plain')] })).message).toMatch(/not executable/);
  });
});

describe('standard output', () => {
  test('is kept byte by byte, in memory or in a file', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
    writeFileSync(join(place, 'bytes'), bytes);
    const inMemory = await run({ argv: ['cat', 'bytes'] });
    expect(Buffer.from(inMemory.output!).equals(bytes)).toBe(true);
    const output = join(place, 'copy');
    expect(await run({ argv: ['cat', 'bytes'] }, {}, { output })).toEqual({ size: 70_000, stderr: '' });
    expect(readFileSync(output).equals(bytes)).toBe(true);
  });

  test('of hundreds of megabytes passes through to a file, and memory does not grow with it', async () => {
    const output = join(place, 'large');
    const before = process.memoryUsage().rss;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const { size } = await run({ script: 'head -c 300000000 /dev/zero' }, {}, { output });
    clearInterval(watch);
    expect(size).toBe(300_000_000);
    expect(statSync(output).size).toBe(300_000_000);
    expect(peak - before).toBeLessThan(100_000_000);
  });

  test('beyond what memory may hold is an error, and the program ends', async () => {
    const error = await failure(
      { script: 'echo $$ > pid; head -c 50000000 /dev/zero; sleep 60' },
      {},
      { maxOutput: 1000 },
    );
    expect(error).toMatchObject({ code: 'command_output' });
    expect(error.message).toMatch(/more than 1000 bytes; give a file/);
    expect(isAlive(await pidIn('pid'))).toBe(false);
  });

  test('that can not be written is an error, and the program ends', async () => {
    const nowhere = await failure({ script: 'seq 1 100000; sleep 60' }, {}, { output: join(place, 'no/such/folder') });
    expect(nowhere).toMatchObject({ code: 'command_output', facts: { cause: { code: 'ENOENT' } } });
    const full = await failure({ script: 'echo $$ > pid; seq 1 100000; sleep 60' }, {}, { output: '/dev/full' });
    expect(full).toMatchObject({ code: 'command_output', facts: { cause: { code: 'ENOSPC' } } });
    expect(isAlive(await pidIn('pid'))).toBe(false);
  });

  test('of a program that reads none of its large input', async () => {
    const { output } = await run(
      { argv: ['echo', 'done'], passing: { text: 'stdin' } },
      { text: 'x'.repeat(5_000_000) },
    );
    expect(text(output)).toBe('done\n');
  });

  test('has the digest of what a large input went through', async () => {
    const input = 'flour and water\n'.repeat(500_000);
    const { output } = await run({ argv: ['sha256sum'], passing: { text: 'stdin' } }, { text: input });
    expect(text(output).split(' ')[0]).toBe(createHash('sha256').update(input).digest('hex'));
  });
});

describe('a run that is stopped', () => {
  const grandchild = `sh -c 'echo $$ > grandchild; trap "" TERM; while :; do sleep 1; done' & echo $$ > child; wait`;

  test('ends its whole group, also those that do not listen', async () => {
    const stop = new AbortController();
    const running = failure({ script: grandchild }, {}, { signal: stop.signal, grace: 200 });
    const pids = [await pidIn('child'), await pidIn('grandchild')];
    expect(pids.map(isAlive)).toEqual([true, true]);
    stop.abort(new Error('the oven is off'));
    const error = await running;
    expect(error).toMatchObject({ code: 'aborted', facts: { reason: 'the oven is off', cause: stop.signal.reason } });
    for (let tries = 0; tries < 100 && pids.some(isAlive); tries++) await wait(10);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test('lets a program end by itself first', async () => {
    const stop = new AbortController();
    const script = `trap 'echo saved > saved; exit 0' TERM; echo $$ > child; while :; do sleep 0.05; done`;
    const running = failure({ script }, {}, { signal: stop.signal });
    await pidIn('child');
    stop.abort();
    expect((await running).code).toBe('aborted');
    expect(readFileSync(join(place, 'saved'), 'utf8')).toBe('saved\n');
  });

  test('before it starts starts nothing', async () => {
    expect((await failure({ script: 'touch started' }, {}, { signal: AbortSignal.abort('no') })).code).toBe('aborted');
    expect(statSync(join(place, 'started'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('by a time limit', async () => {
    const error = await failure({ argv: ['sleep', '60'] }, {}, { signal: AbortSignal.timeout(50) });
    expect(error).toMatchObject({ code: 'aborted', facts: { cause: { name: 'TimeoutError' } } });
  });
});

describe('what a program leaves running', () => {
  test('ends with it, and its output counts until then', async () => {
    const { output } = await run({
      script: 'sleep 60 > /dev/null 2>&1 & echo $! > left; (sleep 0.2; echo late) & echo early',
    });
    expect(text(output)).toBe('early\nlate\n');
    const pid = await pidIn('left');
    for (let tries = 0; tries < 100 && isAlive(pid); tries++) await wait(10);
    expect(isAlive(pid)).toBe(false);
  });

  test('does not hold the run for ever', async () => {
    const { output } = await run({ script: 'sleep 60 & echo $! > left; echo done' }, {}, { grace: 100 });
    expect(text(output)).toBe('done\n');
    expect(isAlive(await pidIn('left'))).toBe(false);
  });

  test('out of reach is told', async () => {
    const error = await failure(
      { script: `setsid sh -c 'echo $$ > left; exec sleep 60' & while [ ! -s left ]; do sleep 0.01; done` },
      {},
      { grace: 50 },
    );
    process.kill(await pidIn('left'), 'SIGKILL');
    expect(error).toMatchObject({ code: 'command_output' });
    expect(error.message).toMatch(/left behind/);
  });

  test('ends when this process does', async () => {
    const code = `import { runCommand } from '@colophon/workflow';
      const script = 'echo $$ > pid; while :; do sleep 1; done';
      runCommand({ script }, {}, { workingDirectory: ${JSON.stringify(place)}, onStderr: () => {} });
      const { existsSync } = await import('node:fs');
      setInterval(() => existsSync(${JSON.stringify(join(place, 'pid'))}) && process.exit(0), 10);`;
    const folder = fileURLToPath(new URL('..', import.meta.url));
    const { status, errors } = await runExample(code, folder);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(isAlive(await pidIn('pid'))).toBe(false);
  });
});
