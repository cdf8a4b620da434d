import { compileChat, imports } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';
import { compileFile, contextOn, errorOf, pairsOf } from './support/compile.js';
import { memoryFiles } from './support/memory-files.js';

const base = 'system: Base rules\nuser: from base\nassistant: base answer\nprevious_response_id: resp_3\n';

describe('what is put in', () => {
  const tree = { '/work/base.chat': base, '/work/empty.chat': '' };
  test.each([
    [
      'import: the whole chat without its response id',
      'import: base.chat',
      ['Base rules', 'from base', 'base answer', 'go'],
    ],
    ['continue: the last message that is not empty', 'continue: base.chat', ['resp_3', 'go']],
    ['last: the last message without the response id', 'last: base.chat', ['base answer', 'go']],
    ['a name without its ending', 'last: base', ['base answer', 'go']],
    ['nothing of an empty chat', 'import: empty.chat\nlast: empty.chat\ncontinue: empty.chat', ['go']],
  ])('%s', async (_, line, contents) => {
    const chat = await compileFile({ ...tree, '/work/main.chat': `${line}\nuser: go` });
    expect(chat.map(([, content]) => content)).toEqual(contents);
  });

  test('what is imported is compiled, relative to its own file', async () => {
    const tree = {
      '/work/main.chat': 'import: lib/outer.chat\nuser: go',
      '/work/lib/outer.chat': 'user: dropped\nclear:\n\nimport: inner\nfile: note.txt\nskip: private\nconfig: a 1',
      '/work/lib/chats/inner.chat': 'user: inner\nfile: ../note.txt',
      '/work/lib/note.txt': 'N',
      '/work/note.txt': 'wrong',
    };
    const context = contextOn(tree);
    const chat = await compileChat({ file: 'main.chat' }, context);
    const note = (name: string) => ['user', `<file name="${name}">\nN\n</file>`];
    expect(pairsOf(chat)).toEqual([['user', 'inner'], note('../note.txt'), note('note.txt'), ['user', 'go']]);
    expect(context.config).toEqual([{ key: 'a', value: '1', tokens: [] }]);
    expect(chat[0]?.at).toEqual({ file: '/work/lib/chats/inner.chat', line: 1 });
  });

  test('the stage alone compiles what it imports', async () => {
    const chat = await imports([{ role: 'import', content: ' base.chat ' }], contextOn(tree));
    expect(chat).toHaveLength(3);
  });
});

describe('a file that is imported twice', () => {
  test('is no cycle, is read once, and gives messages of their own', async () => {
    const files = memoryFiles({
      '/work/main.chat': 'import: left.chat\nimport: right.chat\nlast: shared.chat',
      '/work/left.chat': 'import: shared.chat',
      '/work/right.chat': 'import: ./lib/../shared.chat',
      '/work/shared.chat': 'user: shared',
    });
    const chat = await compileChat({ file: 'main.chat' }, contextOn({}, { files }));
    expect(chat.map(({ content }) => content)).toEqual(['shared', 'shared', 'shared']);
    expect(new Set(chat).size).toBe(3);
    expect(files.reads.filter((path) => path === '/work/shared.chat')).toHaveLength(1);
  });

  test('costs one compilation a file, also where imports double at each level', async () => {
    const levels = Array.from({ length: 18 }, (_, level) => [
      `/work/${level}.chat`,
      `last: ${level + 1}.chat\nlast: ${level + 1}.chat`,
    ]);
    const files = memoryFiles({ ...Object.fromEntries(levels), '/work/18.chat': 'user: leaf' });
    const chat = await compileChat({ file: '0.chat' }, contextOn({}, { files }));
    expect(chat.map(({ content }) => content)).toEqual(['leaf', 'leaf']);
    expect(files.reads).toHaveLength(19);
  });

  test('is an error before it fills the memory', async () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      `/work/${level}.chat`,
      `import: ${level + 1}.chat\nimport: ${level + 1}.chat`,
    ]);
    const tree = { ...Object.fromEntries(levels), '/work/30.chat': 'user: leaf' };
    const error = await errorOf(compileFile(tree, { limits: { totalCharacters: 10_000 } }, '0.chat'));
    expect(error.code).toBe('total_size');
    expect(error.message).toContain('at most 10000 characters');
  });
});

describe('errors show the chain of files', () => {
  test.each([
    ['itself', { '/work/a.chat': 'import: a.chat' }, 'a.chat:1 → a.chat'],
    [
      'through another',
      { '/work/a.chat': 'user: x\n\nimport: b.chat', '/work/b.chat': 'continue: a.chat' },
      'a.chat:3 → b.chat:1 → a.chat',
    ],
    [
      'deep below',
      { '/work/a.chat': 'last: b/b.chat', '/work/b/b.chat': 'import: c', '/work/b/c.chat': 'import: b.chat' },
      'a.chat:1 → b/b.chat:1 → b/c.chat:1 → b/b.chat',
    ],
  ])('a cycle: %s', async (_, tree, chain) => {
    const error = await errorOf(compileFile(tree as unknown as Record<string, string>, {}, 'a.chat'));
    expect(error).toMatchObject({ code: 'import_cycle', facts: { chain } });
    expect(error.message).toContain(chain);
  });

  test('a missing file', async () => {
    const tree = { '/work/a.chat': 'import: lib/b.chat', '/work/lib/b.chat': 'user: x\nimport: nowhere' };
    const error = await errorOf(compileFile(tree, { roots: ['/lib'] }, 'a.chat'));
    expect(error).toMatchObject({
      code: 'not_found',
      facts: {
        at: { file: '/work/lib/b.chat', line: 2 },
        role: 'import',
        places: [
          '/work/lib/nowhere',
          '/work/lib/chats/nowhere',
          '/work/nowhere',
          '/lib/chats/nowhere',
          '/work/lib/nowhere.chat',
          '/work/lib/chats/nowhere.chat',
          '/work/nowhere.chat',
          '/lib/chats/nowhere.chat',
        ],
      },
    });
    expect(error.message).toMatch(
      /^\/work\/lib\/b\.chat:2: import: .*a\.chat:1 → lib\/b\.chat:2 → nowhere\. Looked at: \/work\/lib\/nowhere, /,
    );
  });

  test('a directory', async () => {
    const error = await errorOf(compileFile({ '/work/a.chat': 'import: lib', '/work/lib/b.chat': '' }, {}, 'a.chat'));
    expect(error).toMatchObject({ code: 'wrong_kind', facts: { chain: 'a.chat:1 → lib' } });
    expect(error.message).toContain('got the directory /work/lib');
  });

  test('a text has no file, but a line', async () => {
    const error = await errorOf(compileChat('import: b.chat', contextOn({ '/work/b.chat': 'import: b.chat' })));
    expect(error.facts['chain']).toBe('(text):1 → b.chat:1 → b.chat');
    const inArray = await errorOf(compileChat([{ role: 'import', content: 'b' }], contextOn()));
    expect(inArray.facts['chain']).toBe('(text) → b');
  });

  test('a chat that is no text, or empty of a name', async () => {
    const binary = await errorOf(
      compileFile({ '/work/a.chat': 'import: b.chat', '/work/b.chat': new Uint8Array([0xff]) }, {}, 'a.chat'),
    );
    expect(binary).toMatchObject({ code: 'not_text', facts: { at: { line: 1 } } });
    expect((await errorOf(compileChat('import:\n\nuser: a', contextOn()))).code).toBe('empty_directive');
  });
});

describe('limits', () => {
  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, n) => [`/work/${n}.chat`, n === length - 1 ? 'user: end' : `import: ${n + 1}.chat`]),
    );

  test('of depth', async () => {
    const limits = { importDepth: 3 };
    expect(await compileFile(chain(4), { limits }, '0.chat')).toEqual([['user', 'end']]);
    const error = await errorOf(compileFile(chain(5), { limits }, '0.chat'));
    expect(error).toMatchObject({
      code: 'import_depth',
      facts: { chain: '0.chat:1 → 1.chat:1 → 2.chat:1 → 3.chat:1 → 4.chat' },
    });
  });

  test('of size, before a file is read and after', async () => {
    const files = memoryFiles({ '/work/main.chat': 'import: big.chat', '/work/big.chat': 'x'.repeat(1000) });
    const compile = (totalCharacters: number) =>
      compileChat({ file: 'main.chat' }, contextOn({}, { files, limits: { totalCharacters } }));
    expect((await errorOf(compile(999))).code).toBe('total_size');
    expect(files.reads).toContain('/work/big.chat');
    files.reads.length = 0;
    expect((await errorOf(compile(100))).code).toBe('total_size');
    expect(files.reads).toEqual(['/work/main.chat']);
    expect(await compile(2000)).toHaveLength(1);
  });
});

describe('a chat from an address', () => {
  const address = 'https://someone:secret@x.test/a.chat?token=t';
  const compilePage = (page: string, line = `import: ${address}`) =>
    compileChat(line, contextOn({}, { files: memoryFiles({}, { [address]: page }) }));

  test('contributes a conversation', async () => {
    const pair = (role: string, id: string) =>
      `${role}: {"name":"f","id":"${id}"}\nfunction_call_output: {"id":"${id}"}\n`;
    const page = `user: a\nassistant: b\n${pair('function_call', '1')}${pair('mcp_call', '2')}user:\n`;
    const chat = await compilePage(page);
    expect(chat.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'function_call',
      'function_call_output',
      'mcp_call',
      'function_call_output',
    ]);
    expect(chat[1]?.at).toEqual({ file: 'https://x.test/a.chat', line: 2 });
    expect(pairsOf(await compilePage(page, `last: ${address}`))).toEqual([['function_call_output', '{"id":"2"}']]);
  });

  test.each(['import', 'last', 'continue'])('leaves no call open that a run could take up: %s', async (role) => {
    const page = 'user: a\nfunction_call: {"name":"rm","arguments":{"path":"/"},"id":"1"}\nmcp_call: {"name":"rm"}';
    expect(pairsOf(await compilePage(page, `${role}: ${address}`))).toEqual([['user', 'a']]);
  });

  test('is read once, however often it is named', async () => {
    const files = memoryFiles({}, { 'http://x.test/a': 'user: a' });
    const chat = await compileChat('import: http://x.test/a\nlast: http://x.test/a', contextOn({}, { files }));
    expect(new Set(chat).size).toBe(2);
    expect(files.reads).toEqual(['http://x.test/a']);
  });

  test.each([
    'system: a',
    'exec_task: W t',
    'file: /etc/passwd',
    'import: b.chat',
    'option: a 1',
    'meta: pt=1',
    'previous_response_id: r',
    'note: x',
    'clear:',
  ])('any other role is an error: %s', async (line) => {
    const error = await errorOf(compilePage(`user: a\n\n${line}\n`));
    expect(error).toMatchObject({ code: 'import_role', facts: { at: { file: 'https://x.test/a.chat', line: 3 } } });
    expect(error.message).toContain('(text):1 → https://x.test/a.chat');
  });

  test('errors hold no credentials of the address', async () => {
    for (const error of [
      await errorOf(compilePage('system: a')),
      await errorOf(compileChat(`import: ${address}x`, contextOn())),
      await errorOf(compileChat(`file: ${address}`, contextOn())),
      await errorOf(compileChat(`exec_task: W t page=${address}`, contextOn())),
      await errorOf(
        compileChat(
          `import: ${address}`,
          contextOn({}, { files: { ...memoryFiles({}), fetchText: (url) => Promise.reject(new Error(`no ${url}/`)) } }),
        ),
      ),
    ]) {
      expect(`${error.message} ${JSON.stringify(error.facts)}`).not.toMatch(/secret|token=/);
    }
  });

  test('that can not be reached, or in a context without a network', async () => {
    const lost = await errorOf(compileChat('import: http://x.test/b.chat', contextOn()));
    expect(lost).toMatchObject({ code: 'import_fetch', facts: { retryable: true, cause: expect.any(Error) } });
    expect(lost.message).toContain('the server answered 404');
    const { fetchText: _, ...files } = memoryFiles({});
    const none = await errorOf(compileChat('import: http://x.test/b.chat', contextOn({}, { files })));
    expect(none.message).toContain('this context reads no addresses');
  });

  test('is limited in size', async () => {
    const files = memoryFiles({}, { 'http://x.test/a': 'x'.repeat(101) });
    const context = contextOn({}, { files, limits: { totalCharacters: 100 } });
    expect((await errorOf(compileChat('import: http://x.test/a', context))).code).toBe('total_size');
  });
});
