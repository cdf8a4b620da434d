import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileChat, createContext, toWorkflows } from '@colophon/chat-compile';
import { diskFiles } from '@colophon/chat-compile/node';
import { parseCall, parseOutput } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { errorOf, pairsOf } from './support/compile.js';

// Jobs that the original wrote. Nothing may run here: no workflow is known, and making a job would write.
const jobs = fileURLToPath(new URL('../../../fixtures/jobs/original/var/jobs', import.meta.url));
const workflows = toWorkflows({
  jobs: '/nowhere/var/jobs',
  jobRoots: [jobs],
  findWorkflow: async (name) => {
    throw new Error(`the workflow ${name} was asked for`);
  },
  now: () => new Date('2031-04-02T09:15:00Z'),
  randomId: () => 'id',
  pid: 1,
  host: 'here',
  isAlive: () => false,
});

const context = () =>
  createContext({
    workingDirectory: '/nowhere',
    files: diskFiles,
    policy: 'read',
    origin: '/nowhere/m.chat',
    workflows,
  });
const compile = async (text: string) => pairsOf(await compileChat(text, context()));

const listing = () => readdirSync(jobs, { recursive: true }).sort();

describe('jobs of the original', () => {
  test.each([
    ['Sample/hello/Anna_ae05f9cde6ff6f9a4816514453d98562', 'hello'],
    ['Sample/typed/Default', 'typed'],
    ['Sample/yaml_result/Default.yaml', 'yaml_result'],
  ])('%s is a call of %s and its output, by short path and by path', async (shortPath, task) => {
    const before = listing();
    const short = await compile(`job: ${shortPath}`);
    expect(short.map(([role]) => role)).toEqual(['function_call', 'function_call_output']);
    expect(parseCall(short[0]![1])).toMatchObject({ name: task });
    expect(await compile(`job: ${jobs}/${shortPath}`)).toEqual(short);
    // A tree that was moved: the last three parts still name the job.
    expect(await compile(`job: /home/u/.scout/var/jobs/${shortPath}`)).toEqual(short);
    expect(listing()).toEqual(before);
  });

  test('the inputs that were given are the arguments', async () => {
    const [call, output] = await compile('job: Sample/hello/Anna_ae05f9cde6ff6f9a4816514453d98562');
    const info = JSON.parse(readFileSync(`${jobs}/Sample/hello/Anna_ae05f9cde6ff6f9a4816514453d98562.info`, 'utf8'));
    expect(parseCall(call![1])?.arguments).toEqual(info.provided_inputs);
    expect(parseOutput(output![1])?.content).toBe(
      readFileSync(`${jobs}/Sample/hello/Anna_ae05f9cde6ff6f9a4816514453d98562`, 'utf8').trim(),
    );
  });

  test('a chat is its messages, and none of its directives is compiled', async () => {
    const [, output] = await compile('job: Sample/conversation/Default.chat');
    const messages = JSON.parse(String(parseOutput(output![1])?.content)) as unknown[];
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(Object.keys(message as object).sort()).toEqual(['content', 'role']);
    const [[role, content] = []] = await compile('inline_job: Sample/conversation/Default.chat');
    expect(role).toBe('user');
    expect(content).toContain('<file name="');
  });

  test('a step is the answer of what the last job depends on', async () => {
    const chat = await compile('meta: job=Sample/shout/Default_6a6ee0fd210db0fed85e4de585d7290b\nstep: hello');
    expect(chat.at(-1)![0]).toBe('assistant');
    expect(chat.at(-1)![1]).not.toBe('');
  });

  test.each([
    ['Sample/plain_error/Default', /plain_error\/Default with status `error`: /],
    ['Sample/scout_error/Default', /scout_error\/Default with status `error`: /],
  ])('%s failed: an error with its exception, at its line', async (shortPath, message) => {
    const error = await errorOf(compileChat(`user: a\njob: ${shortPath}`, context()));
    expect(error).toMatchObject({ code: 'job_failed', facts: { at: { file: '/nowhere/m.chat', line: 2 } } });
    expect(error.message).toMatch(message);
    const inlined = await compileChat(`job: ${shortPath}`, { ...context(), inlineExceptions: true });
    expect(JSON.parse(String(parseOutput(inlined[1]?.content)?.content))).toHaveProperty('exception');
  });

  test.each([
    'Sample/wait_for_abort/KilledRunning',
    'Sample/wait_for_abort/Queued',
    'Sample/hello/OnlyInit',
    'Sample/nothing/Default',
  ])('%s would have to run, which the policy `read` refuses', async (shortPath) => {
    const before = listing();
    const error = await errorOf(compileChat(`job: ${shortPath}`, context()));
    expect(error).toMatchObject({ code: 'not_allowed', facts: { at: { line: 1 }, role: 'job' } });
    expect(listing()).toEqual(before);
  });

  test('one that is not there says where it was looked for', async () => {
    const error = await errorOf(compileChat('user: a\njob: Sample/hello/Nobody', context()));
    expect(error.code).toBe('task_failed');
    expect(error.message).toMatch(/^\/nowhere\/m\.chat:2: job: .*short path.*\/nowhere\/var\/jobs/s);
  });
});
