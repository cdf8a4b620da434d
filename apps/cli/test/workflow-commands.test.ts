import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@colophon/workflow';
import { describe, expect, it, vi } from 'vitest';
import type { Output } from '../src/output.js';
import { showJobs } from '../src/show-jobs.js';
import { type CliOptions, runCli } from './built-cli.js';
import { folder } from './folder.js';
import { kitchen } from './kitchen.js';

// Each run is a process of its own: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 120_000 });

/** A project with the kitchen in it and a place for jobs; `~` is an empty folder that stays. */
const project = (files: Record<string, string | Uint8Array> = {}) => {
  const made = folder({ ...kitchen, ...files });
  const home = folder();
  mkdirSync(made.join('var/jobs'), { recursive: true });
  const environment = { HOME: home.path };
  const run = (words: string[], options: CliOptions = {}) =>
    runCli(words, { cwd: made.path, ...options, environment: { ...environment, ...options.environment } });
  const jobs = (): string[] =>
    readdirSync(made.join('var/jobs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.info'))
      .map((name) => name.slice(0, -5))
      .sort();
  return { ...made, home, run, jobs };
};

describe('workflow list and info', () => {
  it('list what is found, without running it', async () => {
    const { run, path } = project({
      'workflows/Broken/workflow.ts': 'throw new Error("ran")',
      '.colophon/x': '',
    });
    const { code, stdout } = await run(['workflow', 'list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WORKFLOW +TITLE +FROM$/m);
    expect(stdout).toMatch(/^Broken +workflows\/Broken\/workflow\.ts$/m);
    expect(stdout).toMatch(/^Kitchen +Bread +workflows\/Kitchen\/workflow\.ts$/m);
    const listed = JSON.parse((await run(['workflow', 'list', '--json'])).stdout);
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Broken', 'Kitchen']);
    const none = await runCli(['workflow', 'list']);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('no workflow is found');
    expect((await runCli(['workflow', 'list', '--root', path])).stdout).toContain('Kitchen');
  });

  it('take a task as Workflow/task, too', async () => {
    const { run } = project();
    expect((await run(['workflow', 'info', 'Kitchen/bake'])).stdout).toMatch(/^Kitchen bake +gives text$/m);
    expect((await run(['workflow', 'info', 'Kitchn/bake'])).stderr).toContain('Did you mean "Kitchen"');
    await run(['workflow', 'run', 'Kitchen', 'say', '--words', 'hi']);
    await run(['workflow', 'run', 'Kitchen', 'burn']);
    expect(JSON.parse((await run(['workflow', 'jobs', 'Kitchen/burn', '--json'])).stdout)).toHaveLength(1);
    const { stdout } = await run(['workflow', 'info', 'Kitchen/burn/Default']);
    expect(stdout.match(/smoke/g)).toHaveLength(1);
  });

  it('show a workflow with its tasks, and a task with its inputs', async () => {
    const { run, jobs } = project();
    const whole = (await run(['workflow', 'info', 'Kitchen'])).stdout;
    expect(whole).toContain('Kitchen  Bread\nMakes bread from flour.\n');
    expect(whole).toMatch(/^bake +text +mix +Bakes\.$/m);
    expect(whole).toMatch(/^mix +json +Mixes flour and water\.$/m);
    expect(whole).toMatch(/^burn +text +\(not offered as a tool\)$/m);
    const task = (await run(['workflow', 'info', 'Kitchen', 'bake'])).stdout;
    expect(task).toMatch(/^Kitchen bake +gives text$/m);
    expect(task).toMatch(/^--minutes +number +40$/m);
    expect(task).toMatch(/^--flour +integer +required +of mix +grams$/m);
    expect(task).toMatch(/^--kind +rye \| wheat +"rye" +of mix$/m);
    const facts = JSON.parse((await run(['workflow', 'info', 'Kitchen', 'bake', '--json'])).stdout);
    expect(facts).toMatchObject({ name: 'bake', type: 'text', needs: ['mix'], exported: true });
    expect(facts.inputs[2]).toEqual({
      name: 'flour',
      types: ['integer'],
      required: true,
      description: 'grams',
      from: 'mix',
    });
    expect(jobs()).toEqual([]);
  });

  it.each([
    [['workflow', 'info', 'Kitchn'], 1, /There is no workflow "Kitchn"\. Did you mean "Kitchen"\?/],
    [['workflow', 'info', 'Kitchen', 'bak'], 2, /Kitchen has no task bak; did you mean bake\?/],
    [['workflow', 'info', 'Kitchen/bake/Default'], 1, /no job Kitchen\/bake\/Default; looked in var\/jobs/],
    [['workflow', 'info'], 2, /NAME is missing/],
  ])('say what is wrong with %j', async (words, exit, message) => {
    const { code, stdout, stderr } = await project().run(words);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('workflow run', () => {
  it('prints the result of a task, runs what it needs, and nothing twice', async () => {
    const { run, jobs } = project();
    const words = ['workflow', 'run', 'Kitchen', 'bake', '--flour', '500', '--minutes=30'];
    const first = await run(words);
    expect(first).toMatchObject({ code: 0, stdout: '800 g in a tin for 30 min\n' });
    expect(first.stderr).toMatch(/^✓ Kitchen\/mix\/Default_\w+\.json in .*\n✓ Kitchen\/bake\/Default_\w+ in .*\n$/);
    expect(jobs()).toHaveLength(2);
    expect(await run(words)).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' });
    const again = await run([...words, '--update']);
    expect(again.stderr).toMatch(/^✓ Kitchen\/bake/);
    expect(jobs()).toHaveLength(2);
  });

  it('reads inputs by the types of the task', async () => {
    const { run } = project();
    const mix = async (...words: string[]) => {
      const { code, stdout, stderr } = await run(['workflow', 'run', 'Kitchen', 'mix', ...words]);
      expect({ code, stderr: stderr.replace(/^✓.*\n/, '') }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const plain = { flour: 5, kind: 'rye', salted: true, extra_seeds: [], dough: 8 };
    expect(await mix('--flour', '5')).toEqual(plain);
    expect(await mix('--input', 'flour=5', '--kind=wheat')).toEqual({ ...plain, kind: 'wheat' });
    expect(await mix('--no-salted', '--flour', '5')).toEqual({ ...plain, salted: false });
    expect(await mix('--flour=5', '--salted', 'false', '--extra-seeds', 'sesame', '--extra-seeds=poppy, blue')).toEqual(
      {
        ...plain,
        salted: false,
        extra_seeds: ['sesame', 'poppy, blue'],
      },
    );
    expect(await mix('--flour', '5', '--extra_seeds', '["a","b"]')).toEqual({ ...plain, extra_seeds: ['a', 'b'] });
  });

  it('keeps text as it is: the name of a file, a number, what a shell would read', async () => {
    const { run } = project({ 'secret.txt': 'secret' });
    const say = async (...words: string[]) => (await run(['workflow', 'run', 'Kitchen', 'say', ...words])).stdout;
    expect(await say('--words', 'secret.txt')).toBe('secret.txt\n');
    expect(await say('--words', '007')).toBe('007\n');
    expect(await say('--words=--x $(ls) "a"')).toBe('--x $(ls) "a"\n');
    expect(await say('--words', '-5')).toBe('-5\n');
  });

  it('names the job, prints its path, or all of it as JSON; an input with the name of an option goes by --input', async () => {
    const { run, path } = project();
    const words = [
      'workflow',
      'run',
      'Kitchen',
      'bake',
      '--flour',
      '1',
      '--input',
      'path=a pan',
      '--jobname',
      'sunday',
    ];
    const { stdout } = await run([...words, '--path']);
    expect(stdout).toMatch(new RegExp(`^${path}/var/jobs/Kitchen/bake/sunday_\\w{32}\n$`));
    expect(readFileSync(stdout.trim(), 'utf8')).toBe('1.6 g in a a pan for 40 min');
    expect(JSON.parse((await run([...words, '--json'])).stdout)).toMatchObject({
      path: stdout.trim(),
      type: 'text',
      inputs: { flour: 1, path: 'a pan', minutes: 40 },
      result: '1.6 g in a a pan for 40 min',
    });
    expect(Buffer.from((await run(['workflow', 'run', 'Kitchen', 'photo', '--json'])).stdout).length).toBeGreaterThan(
      10,
    );
  });

  it('writes bytes as they are', async () => {
    const { run, path } = project();
    const { stdout } = await run(['workflow', 'run', 'Kitchen', 'photo', '--path']);
    expect(stdout.startsWith(path)).toBe(true);
    expect([...readFileSync(stdout.trim())]).toEqual([0, 255, 10, 13]);
  });

  it.each([
    [['--flour', 'much'], /--flour takes integer, not much/],
    [['--flour', '1.5'], /--flour takes integer, not 1\.5/],
    [['--flour', '1', '--flour', '2'], /--flour is given twice/],
    [['--flor', '1'], /unknown input --flor; did you mean --flour\?/],
    [['--zzz', '1'], /unknown input --zzz; the task takes --flour --kind/],
    [['--flour'], /--flour needs a value/],
    [['--flour', '1', '--kind', 'oat'], /kind: got "oat"/],
    [['--input', 'flour'], /--input flour: expected name=value/],
    [['--flour', '1', '--concurrency', 'all'], /--concurrency all: expected a number/],
    [[], /flour: got nothing/],
  ])('calls %j wrong usage', async (words, message) => {
    const { run, jobs } = project();
    const { code, stdout, stderr } = await run(['workflow', 'run', 'Kitchen', 'mix', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(jobs()).toEqual([]);
  });

  it('tells what failed, in one line, with causes by --verbose', async () => {
    const { run } = project();
    const burnt = await run(['workflow', 'run', 'Kitchen', 'burn']);
    expect(burnt).toMatchObject({ code: 1, stdout: '' });
    expect(burnt.stderr).toBe('✗ Kitchen/burn/Default: smoke\ncolophon: Kitchen/burn/Default failed: smoke\n');
    expect((await run(['workflow', 'run', 'Kitchen', 'burn', '--verbose'])).stderr).toContain('because: too hot');
    const served = await run(['workflow', 'run', 'Kitchen', 'serve']);
    expect(served.code).toBe(1);
    expect(served.stderr).toMatch(/Kitchen\/serve\/Default .*Kitchen\/burn\/Default failed: smoke\n$/);
  });

  it('tells where a workflow can not be read', async () => {
    const { run } = project({ 'workflows/Bad/workflow.ts': 'export default {\n  name: ;\n}' });
    const { code, stderr } = await run(['workflow', 'run', 'Bad', 'x']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/workflows\/Bad\/workflow\.ts:2:\d+: /);
  });

  it('stops by Ctrl-C: what ran is aborted, and runs the next time', async () => {
    const { run, path, jobs } = project();
    const begun = join(path, 'var/jobs/Kitchen/wait/Default.files/begun');
    const { code, stderr } = await run(['workflow', 'run', 'Kitchen', 'wait'], {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(begun)) return;
          clearInterval(timer);
          child.kill('SIGINT');
        }, 20);
      },
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/✗ Kitchen\/wait\/Default was stopped\ncolophon: interrupted\n$/);
    expect(jobs()).toEqual(['Kitchen/wait/Default']);
    expect(JSON.parse(readFileSync(join(path, 'var/jobs/Kitchen/wait/Default.info'), 'utf8')).status).toBe('aborted');
    expect(readdirSync(join(path, 'var/jobs/Kitchen/wait')).filter((name) => name.startsWith('.'))).toEqual([]);
    expect((await run(['workflow', 'jobs', '--status', 'failed'])).stdout).toMatch(/Kitchen\/wait\/Default +aborted/);
  });

  it.skipIf(process.getuid?.() === 0)('writes to yours where var/jobs may not be written', async () => {
    const { path, home, run } = project();
    chmodSync(join(path, 'var/jobs'), 0o555);
    const { code, stdout } = await run(['workflow', 'run', 'Kitchen', 'mix', '--flour', '1', '--path']);
    chmodSync(join(path, 'var/jobs'), 0o755);
    expect(code).toBe(0);
    expect(stdout.startsWith(join(home.path, '.colophon/var/jobs/Kitchen/mix/'))).toBe(true);
  });

  it('writes to the first writable root that has var/jobs, else to yours; finds in all', async () => {
    const { path, home, run } = project();
    const elsewhere = folder(kitchen);
    const words = ['workflow', 'run', 'Kitchen', 'mix', '--flour', '1', '--path'];
    const environment = { HOME: home.path };
    const yours = await runCli(words, { cwd: elsewhere.path, environment });
    expect(yours.stdout.startsWith(join(home.path, '.colophon/var/jobs/Kitchen/mix/'))).toBe(true);
    expect(existsSync(elsewhere.join('var'))).toBe(false);
    // The same job is found again from a project that has jobs of its own.
    expect((await run(words)).stdout).toBe(yours.stdout);
    expect((await run([...words.slice(0, -2), '2', '--path'])).stdout.startsWith(path)).toBe(true);
    // What others keep is only read: to run it again is to make one of one's own.
    expect((await run([...words, '--update'])).stdout.startsWith(path)).toBe(true);
    expect(existsSync(yours.stdout.trim())).toBe(true);
  });
});

describe('progress', () => {
  const told = (isTerminal: boolean) => {
    let text = '';
    let time = 0;
    const write = (more: string | Uint8Array) => {
      text += String(more);
    };
    const stderr = { write, line: (more = '') => write(`${more}\n`), isTerminal, color: false, columns: 60 } as Output;
    const shown = showJobs({ stderr, now: () => new Date(time), log: (_, line) => stderr.line(line) });
    const job = { path: '/j', shortPath: 'Kitchen/bake/Default', task: 'bake' } as Job;
    shown.onProgress({ kind: 'start', job });
    for (const done of [1, 2, 3]) {
      time += 3000;
      shown.onProgress({ kind: 'progress', job, progress: { message: 'rises\nslowly', done, total: 4 } });
    }
    shown.onProgress({ kind: 'done', job });
    shown.onProgress({ kind: 'error', job, exception: { name: 'Error', message: 'smoke\nmore' } });
    shown.end();
    return text;
  };

  it('is a bar in one line on a terminal', () => {
    const frames = told(true).split('\r\u001b[K');
    expect(frames).toContain('   0 ● Kitchen/bake/Default  ██████████░░░░░░░░░░ 2/4 rise…');
    expect(frames).toContain('✓ Kitchen/bake/Default in 9 s\n');
    expect(frames).toContain('✗ Kitchen/bake/Default: smoke more\n');
    expect(frames.at(-1)).toBe('');
    for (const frame of frames) expect(frame.trimEnd().length).toBeLessThanOrEqual(60);
  });

  it('is a line now and then elsewhere', () => {
    expect(told(false)).toBe(
      'Kitchen/bake/Default: ██████████░░░░░░░░░░ 2/4 rises slowly\n✓ Kitchen/bake/Default in 9 s\n✗ Kitchen/bake/Default: smoke more\n',
    );
  });
});

describe('workflow jobs', () => {
  it('lists what is kept, by workflow, task and state', async () => {
    const { run } = project();
    await run(['workflow', 'run', 'Kitchen', 'bake', '--flour', '1', '--jobname', 'mine']);
    await run(['workflow', 'run', 'Kitchen', 'burn']);
    const { code, stdout, stderr } = await run(['workflow', 'jobs']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '3 jobs\n' });
    expect(stdout).toMatch(/^JOB +STATUS +AGE +INPUTS$/m);
    expect(stdout).toMatch(/^Kitchen\/bake\/mine_\w+ +done +[\d.]+ s +flour=1$/m);
    expect(stdout).toMatch(/^Kitchen\/burn\/Default +error +[\d.]+ s$/m);
    const only = async (...words: string[]) =>
      JSON.parse((await run(['workflow', 'jobs', '--json', ...words])).stdout).map(
        ({ task }: { task: string }) => task,
      );
    expect(await only()).toEqual(['bake', 'burn', 'mix']);
    expect(await only('Kitchen', 'mix')).toEqual(['mix']);
    expect(await only('--status', 'error')).toEqual(['burn']);
    expect(await only('--status', 'failed', '--status', 'running')).toEqual(['burn']);
    expect(await only('Garden')).toEqual([]);
    const info = await run(['workflow', 'info', 'Kitchen/burn/Default']);
    expect(info.stdout).toMatch(/^Kitchen\/burn\/Default +error, [\d.]+ s ago, took /);
    expect(info.stdout).toContain('Error: smoke');
  });

  it('reads damaged jobs, and those that others wrote', async () => {
    const { run } = project({
      'var/jobs/Old/task/Default.info': '{"status":"done","workfl',
      'var/jobs/Old/task/Bare': 'x',
      'var/jobs/Old/task/Ruby.info':
        '{"status":":error","pid":1,"pid_hostname":"h","issued":"2031-04-02 09:15:00 +0000"}',
    });
    const { code, stdout } = await run(['workflow', 'jobs']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Old\/task\/Bare +done$/m);
    expect(stdout).toMatch(/^Old\/task\/Ruby +error/m);
    expect((await run(['workflow', 'info', 'Old/task/Default'])).code).toBe(0);
  });
});

describe('workflow clean', () => {
  const withJobs = async () => {
    const made = project();
    await made.run(['workflow', 'run', 'Kitchen', 'bake', '--flour', '1', '--jobname', 'a']);
    await made.run(['workflow', 'run', 'Kitchen', 'burn']);
    const [bake = '', burn = '', mix = ''] = made.jobs();
    return { ...made, bake, burn, mix };
  };

  it('removes the jobs that are named, and no other', async () => {
    const { run, jobs, bake, burn, mix, path } = await withJobs();
    expect(await run(['workflow', 'clean', bake])).toMatchObject({ code: 0, stderr: 'removed 1 job\n' });
    expect(jobs()).toEqual([burn, mix]);
    expect((await run(['workflow', 'clean', join(path, 'var/jobs', mix), burn, '--json'])).stdout).toContain(mix);
    expect(
      readdirSync(join(path, 'var/jobs'), { recursive: true }).filter((name) => /Default|a_/.test(String(name))),
    ).toEqual([]);
  });

  it('needs --yes where it would remove more', async () => {
    const { run, jobs, bake, burn, mix } = await withJobs();
    for (const words of [[bake, '--recursive'], ['Kitchen'], ['Kitchen/mix'], ['--failed']]) {
      const { code, stdout, stderr } = await run(['workflow', 'clean', ...words]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/removes \d jobs?, more than were named: add --yes/);
      expect(jobs()).toHaveLength(3);
    }
    await run(['workflow', 'clean', '--failed', '--yes']);
    expect(jobs()).toEqual([bake, mix]);
    await run(['workflow', 'clean', bake, '--recursive', '-y']);
    expect(jobs()).toEqual([]);
    expect(burn).toContain('burn');
  });

  it.each([
    [[], 2, /name jobs to remove/],
    [['Kitchen/bake/none'], 1, /no job Kitchen\/bake\/none/],
    [['Nowhere'], 1, /no job Nowhere/],
  ])('says what is wrong with %j', async (words, exit, message) => {
    const { run, jobs } = await withJobs();
    const { code, stderr } = await run(['workflow', 'clean', ...words]);
    expect(code).toBe(exit);
    expect(stderr).toMatch(message);
    expect(jobs()).toHaveLength(3);
  });

  it('leaves roots alone that are only read', async () => {
    const { run, home } = project();
    const read = join(home.path, '.scout/var/jobs/Old/task');
    mkdirSync(read, { recursive: true });
    writeFileSync(join(read, 'Default'), 'kept');
    const { code, stderr } = await run(['workflow', 'clean', 'Old/task/Default']);
    expect(code).toBe(1);
    expect(stderr).toContain('only read');
    await run(['workflow', 'clean', 'Old', '--yes']);
    expect(readFileSync(join(read, 'Default'), 'utf8')).toBe('kept');
  });
});

describe('completion', () => {
  it('offers workflows, their tasks and the inputs of a task', async () => {
    const { run } = project();
    const offered = async (...words: string[]) =>
      (await run(['complete', '--', ...words])).stdout
        .split('\n')
        .filter((line) => line.includes('\t'))
        .map((line) => line.split('\t')[0]);
    expect(await offered('workflow', '')).toEqual(['list', 'info', 'run', 'jobs', 'clean']);
    expect(await offered('workflow', 'run', 'K')).toEqual(['Kitchen']);
    expect(await offered('workflow', 'run', 'Kitchen', 'b')).toEqual(['bake', 'burn']);
    expect(await offered('workflow', 'run', 'Kitchen', 'bake', '--f')).toEqual(['--flour']);
    expect(await offered('ask', '-w', '')).toEqual(['Kitchen']);
    expect(await offered('mcp', 'K')).toEqual(['Kitchen']);
    expect(await offered('workflow', 'run', 'Nowhere', '')).toEqual([]);
  });
});
