import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findJob,
  type JobRecord,
  listJobs,
  loadResult,
  lockPath,
  lockStale,
  readJob,
  resultTypes,
} from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { collect } from './support/collect.js';
import { makeFolder } from './support/folder.js';

const codes = ({ warnings }: JobRecord): string[] => warnings.map(({ code }) => code);

describe('reading a job', () => {
  test('that is not there gives one without anything', async () => {
    const folder = makeFolder();
    expect(await readJob(join(folder, 'var/jobs/Kitchen/bake/Default'))).toEqual({
      path: join(folder, 'var/jobs/Kitchen/bake/Default'),
      shortPath: 'Kitchen/bake/Default',
      ...{ workflow: 'Kitchen', task: 'bake', name: 'Default', cleanName: 'Default', status: 'noinfo' },
      ...{ running: false, done: false, inputs: {}, dependencies: [], messages: [], info: {}, warnings: [] },
    });
  });

  test.each(['Kitchen/bake/Default', './x', '', '/a\0b'])('by %j is refused: it is no absolute path', async (path) => {
    await expect(readJob(path)).rejects.toMatchObject({ code: 'job_path' });
  });

  test('whose .info is a folder, a pipe, or a link in a circle is told as a warning', async () => {
    const folder = makeFolder({ 'A/b/Folder.info/x': '', 'A/b/Folder': 'r' });
    execFileSync('mkfifo', [join(folder, 'A/b/Pipe.info')]);
    symlinkSync('Circle.info', join(folder, 'A/b/Circle.info'));
    for (const name of ['Folder', 'Pipe', 'Circle']) {
      const job = await readJob(join(folder, 'A/b', name));
      expect([job.status, codes(job)]).toEqual(['noinfo', ['info_unreadable']]);
    }
    expect(await loadResult(await readJob(join(folder, 'A/b/Folder')))).toBe('r');
  });

  test.each([
    ['v1.2', '{}', 'v1.2'],
    [`sunday_${'ab'.repeat(16)}.md`, '{"type":"text"}', 'sunday'],
    ['Default.json', '{"type":"json"}', 'Default'],
    ['Default.md', '{"type":"text","clean_name":"Default"}', 'Default'],
    ['Default.md', '{"type":"text","job_name":"Default"}', 'Default'],
    ['report.final.chat', '{"type":"chat"}', 'report.final'],
    ['.json', '{"type":"json"}', '.json'],
  ])('%s with %s has the name %s', async (name, info, clean) => {
    const folder = makeFolder({ [`A/b/${name}.info`]: info });
    expect((await readJob(join(folder, 'A/b', name))).cleanName).toBe(clean);
  });

  test('lists artifacts when asked, links as names', async () => {
    const folder = makeFolder({ 'A/b/x': '', 'A/b/x.files/z': '', 'A/b/x.files/a/deep/y': '' });
    symlinkSync('..', join(folder, 'A/b/x.files/up'));
    expect((await readJob(join(folder, 'A/b/x'), { files: true })).files).toEqual(['a/deep/y', 'up', 'z']);
    expect((await readJob(join(folder, 'A/b/x'))).files).toBeUndefined();
  });
});

describe('a job runs', () => {
  const now = new Date('2026-05-04T10:00:00Z');
  const place = (info: object): string => join(makeFolder({ 'A/b/x.info': JSON.stringify(info) }), 'A/b/x');
  const lock = (path: string, age: number): void => {
    mkdirSync(lockPath(path));
    const time = new Date(now.getTime() - age);
    utimesSync(lockPath(path), time, time);
  };
  const machine = { host: 'here', isAlive: (pid: number) => pid === 7, now: () => now };
  const info = { status: 'start', pid: 7, pid_hostname: 'here' };

  test('where its process lives on this host and its lock is fresh', async () => {
    const path = place(info);
    lock(path, lockStale - 1000);
    expect((await readJob(path, machine)).running).toBe(true);
    expect((await readJob(path)).running).toBe(false);
  });

  test.each<[string, object, number | undefined]>([
    ['its process is gone', { ...info, pid: 8 }, 0],
    ['it is on another host', { ...info, pid_hostname: 'there' }, 0],
    ['its lock is old', info, lockStale + 1000],
    ['it has no lock: the process may be another one', info, undefined],
    ['it has ended', { ...info, status: 'error' }, 0],
    ['it has no process', { status: 'start' }, 0],
  ])('not where %s', async (_, recorded, age) => {
    const path = place(recorded);
    if (age !== undefined) lock(path, age);
    expect((await readJob(path, machine)).running).toBe(false);
  });
});

describe('a reference', () => {
  const files = {
    'lab/var/jobs/A/b/x': '1',
    'lab/var/jobs/A/b/y.info': '{}',
    'home/var/jobs/A/b/z': '2',
    'lab/chats/one.chat': '',
  };

  test('leads to a job as given, by its last three parts below a root, and around the file that refers to it', async () => {
    const folder = makeFolder(files);
    const lab = join(folder, 'lab/var/jobs/A/b');
    expect(await findJob(join(lab, 'x'), { roots: [] })).toBe(join(lab, 'x'));
    expect(await findJob(`${lab}/../b/./x`, { roots: [] })).toBe(join(lab, 'x'));
    expect(await findJob(join(lab, 'y'), { roots: [] })).toBe(join(lab, 'y'));
    expect(await findJob('A/b/x', { roots: [join(folder, 'home'), join(folder, 'lab')] })).toBe(join(lab, 'x'));
    expect(await findJob('A/b/x', { roots: [join(folder, 'lab/var/jobs')] })).toBe(join(lab, 'x'));
    expect(await findJob('/gone/var/jobs/A/b/z', { roots: [join(folder, 'home/var/jobs')] })).toBe(
      join(folder, 'home/var/jobs/A/b/z'),
    );
    expect(await findJob('/gone/A/b/x', { roots: [], referrer: join(lab, 'y') })).toBe(join(lab, 'x'));
    expect(await findJob('A/b/x', { roots: [], referrer: join(folder, 'lab/chats/one.chat') })).toBe(join(lab, 'x'));
  });

  test('to what is not there, or is no job, leads nowhere', async () => {
    const folder = makeFolder(files);
    const roots = [join(folder, 'lab')];
    for (const reference of [
      '',
      'x',
      'b/x',
      'A/b/none',
      '../b/x',
      'A/../x',
      '/',
      '~/A/b/none',
      'A/b/x\0',
      'A/b/x'.repeat(2000),
    ])
      expect(await findJob(reference, { roots })).toBeUndefined();
  });

  test('follows a tree that has moved', async () => {
    const folder = makeFolder({ 'old/var/jobs/A/b/x': '1' });
    const old = join(folder, 'old/var/jobs/A/b/x');
    writeFileSync(
      join(folder, 'old/var/jobs/A/b/y.info'),
      JSON.stringify({ status: 'done', dependencies: [old, '/none/A/b/w'] }),
    );
    renameSync(join(folder, 'old'), join(folder, 'new'));
    const job = await readJob(join(folder, 'new/var/jobs/A/b/y'));
    expect(job.dependencies).toEqual([join(folder, 'new/var/jobs/A/b/x'), '/none/A/b/w']);
    expect(codes(job)).toEqual(['dependency_missing']);
  });
});

describe('listing jobs', () => {
  test('gives each once, sorted, and nothing that is no job', async () => {
    const folder = makeFolder({
      ...{
        'B/t/x': '',
        'A/u/b.json': '1',
        'A/u/b.json.info': '{}',
        'A/u/only.info': '{"status":"start"}',
        'A/u/B': '',
      },
      ...{
        'A/t/x': '',
        'A/t/.x.lock/y': '',
        'A/t/.x.1.tmp': '',
        'A/t/x.files/log': '',
        'A/t/sub/name': '',
        '.hidden/t/x': '',
        'A/file': '',
      },
    });
    const all = await collect(listJobs([folder, folder, join(folder, 'none')]));
    expect(all.map(({ path }) => path.slice(folder.length + 1))).toEqual([
      'A/t/sub/name',
      'A/t/x',
      'A/u/B',
      'A/u/b.json',
      'A/u/only',
      'B/t/x',
    ]);
    expect((await collect(listJobs([folder], { workflow: 'A', task: 'u' }))).map(({ name }) => name)).toEqual([
      'B',
      'b.json',
      'only',
    ]);
    expect(await collect(listJobs([folder], { workflow: 'C' }))).toEqual([]);
  });

  test('follows links to folders of workflows and tasks, and takes no other one for a job or a way', async () => {
    const folder = makeFolder({ 'jobs/A/t/x': '', 'elsewhere/t/y': '', 'elsewhere/z': '' });
    const [jobs, elsewhere] = [join(folder, 'jobs'), join(folder, 'elsewhere')];
    symlinkSync(elsewhere, join(jobs, 'Linked'));
    symlinkSync(join(elsewhere, 't'), join(jobs, 'A/linked'));
    symlinkSync(join(elsewhere, 'z'), join(jobs, 'A/t/z'));
    symlinkSync(jobs, join(jobs, 'A/t/loop'));
    const all = await collect(listJobs([jobs]));
    expect(all.map(({ path }) => path.slice(jobs.length + 1))).toEqual(['A/linked/y', 'A/t/x', 'A/t/z', 'Linked/t/y']);
    for (const { path, shortPath } of all) expect(await findJob(shortPath, { roots: [jobs] })).toBe(path);
  });

  test('reads as it is asked, not all before', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'A/t'), { recursive: true });
    for (let index = 0; index < 3000; index++)
      writeFileSync(join(folder, 'A/t', `job${String(index).padStart(4, '0')}.info`), '{"status":"done"}');
    let read = 0;
    const isAlive = (): boolean => false;
    const host = {
      get host() {
        read++;
        return 'here';
      },
      isAlive,
      now: () => new Date(),
    };
    for await (const { name } of listJobs([folder], host)) {
      expect(name).toBe('job0000');
      break;
    }
    expect(read).toBeLessThan(100);
    expect(await collect(listJobs([folder]))).toHaveLength(3000);
  });
});

describe('loading a result', () => {
  test('takes the type that is recorded, else that of the extension, else text or bytes', async () => {
    const folder = makeFolder({ 'a.json': '{"a":1}', b: '12', c: new Uint8Array([255]), d: 'x\n' });
    const load = (name: string, type?: string): Promise<unknown> =>
      loadResult({ path: join(folder, name), name, status: 'done', ...(type === undefined ? {} : { type }) });
    expect(await load('a.json')).toEqual({ a: 1 });
    expect(await load('a.json', 'text')).toBe('{"a":1}');
    expect(await load('b', 'integer')).toBe(12);
    expect(await load('b')).toBe('12');
    expect(await load('c')).toEqual(Buffer.from([255]));
    expect(await load('d', 'select')).toBe('x\n');
    expect(await load('d', 'constructor')).toBe('x\n');
    await expect(load('d', 'integer')).rejects.toMatchObject({
      code: 'bad_result',
      message: expect.stringContaining(join(folder, 'd')),
    });
    await expect(load('none')).rejects.toMatchObject({ code: 'no_result' });
  });

  test('uses the table of a layer above', async () => {
    const folder = makeFolder({ 'a.chat': '\nuser: hi' });
    const types = { ...resultTypes, chat: { ...resultTypes.chat, read: () => [{ role: 'user', content: 'hi' }] } };
    expect(await loadResult({ path: join(folder, 'a.chat'), name: 'a.chat', status: 'done' }, types)).toEqual([
      { role: 'user', content: 'hi' },
    ]);
  });
});
