import { clean, compileChat, createContext, type Stage, setup, stages } from '@colophon/chat-compile';
import { unannotate } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { compileFile, contextOn, errorOf, pairsOf } from './support/compile.js';
import { memoryEngine } from './support/memory-engine.js';

test('the stages are one list, in this order', () => {
  expect(stages.map(({ name }) => name)).toEqual([
    'normalise',
    'imports',
    'clear',
    'clean',
    'config',
    'tasks',
    'jobs',
    'files',
    'setup',
  ]);
});

describe('input', () => {
  test('text is chat text, never a path', async () => {
    const chat = await compileChat('main.chat', contextOn({ '/work/main.chat': 'user: from the file' }));
    expect(pairsOf(chat)).toEqual([['user', 'main.chat']]);
  });

  test('a file is looked for as any other: next to nothing, in the working directory, in the roots, with `.chat`', async () => {
    expect(await compileFile({ '/work/main.chat': 'user: a' })).toEqual([['user', 'a']]);
    expect(await compileFile({ '/lib/chats/main.chat': 'user: b' }, { roots: ['/lib'] }, 'main')).toEqual([
      ['user', 'b'],
    ]);
    const error = await errorOf(compileFile({}));
    expect(error).toMatchObject({ code: 'not_found', facts: { places: expect.arrayContaining(['/work/main.chat']) } });
  });

  test('texts in an array are user messages', async () => {
    const chat = await compileChat(['system: no header', { role: 'assistant', content: 'b' }], contextOn());
    expect(pairsOf(chat)).toEqual([
      ['user', 'system: no header'],
      ['assistant', 'b'],
    ]);
  });

  test('a file that is no UTF-8 is an error', async () => {
    const error = await errorOf(compileFile({ '/work/main.chat': new Uint8Array([0xff, 0xfe, 0x00]) }));
    expect(error.code).toBe('not_text');
  });

  test('errors know the line, with and without a file', async () => {
    const text = 'user: a\n\nfile: lost.txt\n';
    const inText = await errorOf(compileChat(text, contextOn()));
    expect(inText.message).toMatch(/^line 3: file: /);
    expect(inText.facts).toMatchObject({ at: { line: 3 }, role: 'file' });
    const inFile = await errorOf(compileFile({ '/work/main.chat': text }));
    expect(inFile.message).toMatch(/^\/work\/main\.chat:3: file: expected an existing file, got "lost\.txt"/);
    expect(inFile.facts).toMatchObject({ at: { file: '/work/main.chat', line: 3 }, role: 'file' });
    const ofOrigin = await errorOf(compileChat(text, contextOn({}, { origin: '/work/x.chat' })));
    expect(ofOrigin.facts.at).toEqual({ file: '/work/x.chat', line: 3 });
  });
});

test('the result has the verbs of a chat, and the input has not', async () => {
  const given = [{ role: 'user', content: 'a' }];
  const chat = await compileChat(given, contextOn());
  expect(chat.answer()).toBe('a');
  expect(given).not.toHaveProperty('answer');
  expect(unannotate(chat)).toEqual(given);
  chat[0]!.content = 'changed';
  expect(given).toEqual([{ role: 'user', content: 'a' }]);
});

test('the order: imports, then clear, then clean, then files', async () => {
  const tree = {
    '/work/main.chat':
      'import: lib/base.chat\nclear: true\nsystem: New rules\nskip: private\nfile: note.txt\nuser: go\nassistant:\n\n \n',
    '/work/lib/base.chat': 'user: old',
    '/work/note.txt': 'N7',
  };
  expect(await compileFile(tree)).toEqual([
    ['system', 'New rules'],
    ['user', '<file name="note.txt">\nN7\n</file>'],
    ['user', 'go'],
  ]);
});

test('options and declared tools stay', async () => {
  const chat = await compileChat(
    'endpoint: harbour\noption: temperature 0.1\ntool: Kitchen\nclear_tools:\n\nuser: go',
    contextOn(),
  );
  expect(chat.map(({ role }) => role)).toEqual(['endpoint', 'option', 'tool', 'clear_tools', 'user']);
});

test('unknown roles pass untouched', async () => {
  expect(pairsOf(await compileChat('developer: a', contextOn()))).toEqual([['developer', 'a']]);
});

test('a caller adds a stage of its own, and imports get it too', async () => {
  const shout: Stage = (chat) => chat.map((message) => ({ ...message, content: message.content.toUpperCase() }));
  const at = stages.indexOf(clean);
  const own = [...stages.slice(0, at), shout, ...stages.slice(at)];
  const tree = { '/work/main.chat': 'import: b.chat\nuser: a', '/work/b.chat': 'user: b\nskip: not seen' };
  expect(await compileFile(tree, { stages: own })).toEqual([
    ['user', 'B'],
    ['user', 'A'],
  ]);
  expect(await compileFile({ '/work/main.chat': 'user: a\nskip: kept' }, { stages: [setup] })).toHaveLength(2);
});

describe('nothing is half compiled', () => {
  test('an error leaves configuration and grants as they were', async () => {
    const context = contextOn();
    await errorOf(compileChat('config: a 1\nallow_path: /srv\nfile: lost.txt', context));
    expect(context).toMatchObject({ config: [], grants: { writable: [], readable: [] } });
    await compileChat('config: a 1\nallow_path: /srv\nallow_path: /srv\nallow_read_path: maps', context);
    expect(context).toMatchObject({
      config: [{ key: 'a', value: '1', tokens: [] }],
      grants: { writable: ['/srv'], readable: ['/work/maps'] },
    });
  });

  test('no task runs where another line can not be read', async () => {
    const workflows = memoryEngine({ 'Kitchen/bake': () => 'bread' });
    const text = 'exec_task: Kitchen bake\ntask: Kitchen bake\ntask: Kitchen bake hot';
    expect((await errorOf(compileChat(text, contextOn({}, { workflows })))).code).toBe('invalid_inputs');
    expect(workflows.log).toEqual([]);
  });
});

describe('two compilations at once', () => {
  test('share neither configuration nor grants', async () => {
    const base = contextOn({}, { config: [{ key: 'base', value: '1', tokens: [] }] });
    const [one, other] = [createContext(base), createContext(base)];
    await Promise.all([
      compileChat('config: a 1\nallow_path: /one', one),
      compileChat('config: b 2\nallow_path: /other', other),
    ]);
    expect(one.config.map(({ key }) => key)).toEqual(['base', 'a']);
    expect(other.config.map(({ key }) => key)).toEqual(['base', 'b']);
    expect([one.grants.writable, other.grants.writable, base.grants.writable]).toEqual([['/one'], ['/other'], []]);
    expect(base.config).toHaveLength(1);
  });

  test('do not see each other while they run, even in one context', async () => {
    const seen: string[][] = [];
    const look: Stage = async (chat, { config }) => {
      await Promise.resolve();
      seen.push(config.map(({ key }) => key));
      return chat;
    };
    const context = contextOn({}, { stages: [...stages, look] });
    await Promise.all([compileChat('config: a 1', context), compileChat('config: b 2', context)]);
    expect(seen).toEqual([['a'], ['b']]);
    expect(context.config.map(({ key }) => key).sort()).toEqual(['a', 'b']);
  });
});

test.each([undefined, null, 5, {}, { file: 5 }, { file: '' }, { file: ' ' }])(
  'what is neither text nor file nor messages is an error: %j',
  async (input) => {
    const error = await errorOf(compileChat(input as never, contextOn()));
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain('expected chat text, {file: "name"} or an array of messages, got ');
  },
);

describe('a signal', () => {
  test('whose reason is anything is an abort', async () => {
    for (const reason of [Object.create(null), null, Symbol('x')]) {
      const context = contextOn({}, { signal: AbortSignal.abort(reason) });
      expect((await errorOf(compileChat('user: a', context))).code).toBe('aborted');
    }
  });

  test('that has fired before stops everything', async () => {
    const context = contextOn({}, { signal: AbortSignal.abort(new Error('enough')) });
    const error = await errorOf(compileChat('user: a', context));
    expect(error).toMatchObject({ code: 'aborted', facts: { reason: 'enough' } });
  });

  test('that fires while a stage works stops the next step', async () => {
    const controller = new AbortController();
    const stop: Stage = (chat) => {
      controller.abort(new Error('now'));
      return chat;
    };
    const context = contextOn({ '/work/a.txt': 'A' }, { signal: controller.signal, stages: [stop, ...stages] });
    expect((await errorOf(compileChat('file: a.txt', context))).code).toBe('aborted');
  });

  test('reaches the engine, and what the engine throws then is the abort', async () => {
    const controller = new AbortController();
    const workflows = memoryEngine({
      'Kitchen/bake': () => {
        controller.abort(new Error('hungry'));
        throw new Error('torn down');
      },
    });
    const context = contextOn({}, { workflows, signal: controller.signal });
    expect((await errorOf(compileChat('exec_task: Kitchen bake', context))).code).toBe('aborted');
  });

  test('reaches the network', async () => {
    const controller = new AbortController();
    const context = contextOn({}, { signal: controller.signal });
    context.files.fetchText = async (_, signal) => {
      controller.abort(new Error('slow'));
      signal?.throwIfAborted();
      return '';
    };
    expect((await errorOf(compileChat('import: https://x.test/a.chat', context))).code).toBe('aborted');
  });
});
