import { clear, compileChat, files, imports, type Policy, takeOptions, tasks } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';
import { compileFile, contextOn, errorOf, pairsOf } from './support/compile.js';
import { memoryEngine } from './support/memory-engine.js';
import { memoryFiles } from './support/memory-files.js';

const engine = () => memoryEngine({ 'Kitchen/bake': () => 'bread' });

describe('read executes nothing', () => {
  test.each([
    'task: Kitchen bake',
    'inline_task: Kitchen bake',
    'exec_task: Kitchen bake',
    'mcp: stdio "server --all"',
    'mcp: stdio',
    'mcp: "stdio" "server"',
    "mcp: st'dio' server",
    'mcp: st\\dio server',
    "mcp: $'\\x73tdio' server",
    'mcp: as=other stdio server',
    'mcp: as="a b" stdio server',
  ])('%s is an error that names file, line and role', async (line) => {
    const workflows = engine();
    const role = line.slice(0, line.indexOf(':'));
    const tree = { '/work/main.chat': `user: a\n${line}` };
    const error = await errorOf(compileFile(tree, { policy: 'read', workflows }));
    expect(error).toMatchObject({ code: 'not_allowed', facts: { at: { file: '/work/main.chat', line: 2 }, role } });
    expect(error.message.startsWith(`/work/main.chat:2: ${role}: `)).toBe(true);
    expect(workflows.log).toEqual([]);
  });

  test('also in a chat that is imported, with the chain of files', async () => {
    const tree = { '/work/main.chat': 'user: a\nimport: b.chat', '/work/b.chat': 'user: x\nexec_task: Kitchen bake' };
    const error = await errorOf(compileFile(tree, { policy: 'read', workflows: engine() }));
    expect(error).toMatchObject({
      code: 'not_allowed',
      facts: { at: { file: '/work/b.chat', line: 2 }, chain: 'main.chat:2 → b.chat' },
    });
  });

  test('a job that would have to run is an error, a finished one is read', async () => {
    const workflows = engine();
    const context = contextOn({}, { policy: 'read', workflows });
    const job = await workflows.job('Kitchen', 'bake', {}, {});
    const error = await errorOf(compileChat(`job: ${job.path}`, context));
    expect(error).toMatchObject({ code: 'not_allowed', facts: { role: 'job' } });
    expect(error.message).toContain('Kitchen/bake/Default (status `waiting`)');
    await workflows.produce([job], {});
    expect(await compileChat(`job: ${job.path}`, context)).toHaveLength(2);
  });

  test('what a clear drops was never there', async () => {
    expect(
      pairsOf(await compileChat('exec_task: A b\nclear: true\nuser: a', contextOn({}, { policy: 'read' }))),
    ).toEqual([['user', 'a']]);
  });

  test('everything else works: imports, files, options, other servers', async () => {
    const tree = {
      '/work/main.chat': 'import: b.chat\nfile: n.txt\nmcp: https://x.test/mcp?$top=1 "a tool" stdio\nmcp: stdiox as=y',
      '/work/b.chat': 'user: b',
      '/work/n.txt': 'N',
    };
    expect((await compileFile(tree, { policy: 'read' })).map(([role]) => role)).toEqual(['user', 'user', 'mcp', 'mcp']);
  });
});

describe('inspect', () => {
  const text = [
    'user: old',
    'clear: true',
    'import: lost.chat',
    'last: https://x.test/a.chat',
    'skip: note',
    'config: a',
    'clear_tools: true',
    'clean_role: user',
    'task: A',
    'exec_task: A b',
    'mcp: stdio x',
    'job: lost',
    'file: lost.txt',
    'directory: lost',
    'image: lost.png',
    'step: lost',
    'allow_path: /',
    'format: lost.json',
    'previous_response_id: r1',
    'previous_response_id: r2',
    'user: new',
  ].join('\n');

  test('reads, runs and drops nothing: every message stays as it was written', async () => {
    const reading = memoryFiles({});
    const context = contextOn({}, { policy: 'inspect', files: reading });
    const chat = await compileChat(text, context);
    expect(chat.map(({ role, content }) => `${role}: ${content}`).join('\n')).toBe(text);
    expect(chat.map(({ at }) => at?.line)).toEqual(chat.map((_, index) => index + 1));
    expect(chat.answer()).toBe('new');
    expect(reading.reads).toEqual([]);
    expect(context).toMatchObject({ config: [], grants: { writable: [] } });
    expect((await takeOptions(chat, context)).options['format']).toBe('lost.json');
  });

  test('each stage alone leaves them too', async () => {
    const context = contextOn({}, { policy: 'inspect' });
    const chat = [
      { role: 'import', content: 'x' },
      { role: 'task', content: 'x' },
      { role: 'file', content: 'x' },
      { role: 'clear', content: '' },
    ];
    for (const stage of [imports, clear, tasks, files]) expect(await stage(chat, context)).toEqual(chat);
  });
});

test('run is the default', async () => {
  const policies: Policy[] = [contextOn().policy];
  expect(policies).toEqual(['run']);
});
