import { chat, parseChat } from '@colophon/chat-format';
import { type McpServer, runCalls, type ToolSources, takeTools, toolDefinition } from '@colophon/tools';
import { describe, expect, test } from 'vitest';
import { anyTool, envelope, now } from './run.js';

const properties = {
  text: { type: 'string' },
  n: { type: 'integer' },
  tags: { type: 'array', items: { type: 'string' } },
};
const slice = anyTool('slice', (parameters) => parameters, {
  parameters: { type: 'object', properties, required: ['text'] },
});
const atlas = {
  name: 'Atlas',
  title: 'Atlas maps',
  description: 'Draws coast maps.',
  tools: [slice, anyTool('draw', () => 'map')],
};
const ledger = { name: 'Ledger', tools: [anyTool('add', () => 1), anyTool('audit', () => 1)], exported: ['add'] };

const servers: McpServer[] = [];
const sources: ToolSources = {
  workflow: (name) => [atlas, ledger].find((workflow) => workflow.name === name),
  mcp: (server) => {
    servers.push(server);
    return [anyTool('search', () => 1), anyTool('fetch', () => 1)];
  },
  knowledgeBase: (name, databases) => databases.map((database) => anyTool(database, () => name)),
  association: ({ name, path, options }) => [anyTool(name, () => ({ path, ...options }))],
};

const take = (text: string, context: ToolSources = sources) =>
  takeTools(parseChat(text, { file: 'main.chat' }), context);
const names = async (text: string) => (await take(text)).tools.map(({ name }) => name);
const visible = async (words: string) => {
  const { tools } = await take(`tool: Atlas slice ${words}`);
  return {
    inputs: Object.keys(toolDefinition(tools[0]!).parameters['properties'] as object),
    defaults: tools[0]!.parameters['defaults'],
  };
};

test('declarations leave the chat and give tools with their origin', async () => {
  const { chat, tools } = await take('tool: Atlas slice\n\nuser: go\n');
  expect(chat.map(({ role, content }) => [role, content])).toEqual([['user', 'go']]);
  expect(tools.map(({ name, origin }) => [name, origin])).toEqual([['slice', 'main.chat:1 tool: Atlas slice']]);
});

test('a workflow gives its exported tasks, or all where none is; one that is not exported can be named', async () => {
  expect(await names('tool: Ledger\n')).toEqual(['add']);
  expect(await names('tool: Atlas\n')).toEqual(['slice', 'draw']);
  expect(await names('tool: Ledger audit\n')).toEqual(['audit']);
});

describe('inputs of a task', () => {
  test.each([
    ['', { inputs: ['text', 'n', 'tags'] }],
    ['text n', { inputs: ['text', 'n'] }],
    ['text n=5', { inputs: ['text'], defaults: { n: 5 } }],
    ['n=5', { inputs: ['text', 'tags'], defaults: { n: 5 } }],
    ['text="two words" n', { inputs: ['n'], defaults: { text: 'two words' } }],
    ['text=5', { inputs: ['n', 'tags'], defaults: { text: '5' } }],
    ['tags=a,b', { inputs: ['text', 'n'], defaults: { tags: ['a', 'b'] } }],
    [`tags='["a","b"]'`, { inputs: ['text', 'n'], defaults: { tags: ['a', 'b'] } }],
    ['none', { inputs: [] }],
    ['noinputs text=x', { inputs: [], defaults: { text: 'x' } }],
    ['jobname=first', { inputs: ['text', 'n', 'tags'], defaults: { jobname: 'first' } }],
  ])('%s', async (words, expected) => {
    expect(await visible(words)).toEqual({ defaults: undefined, ...expected });
  });

  test('fixed ones reach the task whatever the model sends', async () => {
    const { tools } = await take('tool: Atlas slice text=fixed n=5\n');
    const { outputs } = await runCalls([{ id: 'c1', name: 'slice', arguments: { text: 'mine', n: 1 } }], tools, {
      now,
    });
    expect(envelope(outputs[0])['content']).toBe('{"text":"fixed","n":5}');
  });

  test.each([
    ['depth', 'unknown_input', 'there is no input `depth`; known: `text`, `n`, `tags`'],
    ['depth=3', 'unknown_input', 'there is no input `depth`'],
    ['n=many', 'bad_declaration', 'the input `n` takes integer, not `many`'],
    ['n=1 n=2', 'bad_declaration', 'the input `n` is given two values'],
    ['none text', 'bad_declaration', '`none` hides every input'],
  ])('%s is an error', async (words, code, message) => {
    await expect(visible(words)).rejects.toMatchObject({ code, message: expect.stringContaining(`main.chat:1: `) });
    await expect(visible(words)).rejects.toThrow(message);
  });
});

test('introduce becomes a user message once, and declares nothing', async () => {
  const { chat, tools } = await take('introduce: Atlas\nintroduce: Atlas\nintroduce: Ledger\nuser: go\n');
  expect(chat.map(({ role, content }) => [role, content])).toEqual([
    ['user', '# Atlas maps\n\nDraws coast maps.'],
    ['user', 'go'],
  ]);
  expect(tools).toEqual([]);
});

test('mcp names a server by address, command or name, and filters its tools', async () => {
  servers.length = 0;
  expect(await names('mcp: https://example.org/mcp search\n')).toEqual(['search']);
  expect(await names(`mcp: stdio "server --port '1 2'" fetch\n`)).toEqual(['fetch']);
  expect(await names('mcp: wiki\n')).toEqual(['search', 'fetch']);
  expect(servers).toEqual([
    { kind: 'http', url: 'https://example.org/mcp' },
    { kind: 'stdio', command: ['server', '--port', '1 2'] },
    { kind: 'named', name: 'wiki' },
  ]);
  await expect(names('mcp: wiki serach\n')).rejects.toThrow(
    'there is no server tool `serach`; known: `search`, `fetch`',
  );
});

test('kb and association hand their words on', async () => {
  const { tools } = await take(
    'kb: family parents friends\nassociation: coast maps/coast.tsv fields="a,b" type=pair\n',
  );
  expect(tools.map(({ name }) => name)).toEqual(['parents', 'friends', 'coast']);
  const { outputs } = await runCalls([{ id: 'c1', name: 'coast', arguments: {} }], tools, { now });
  expect(envelope(outputs[0])['content']).toBe('{"path":"maps/coast.tsv","fields":"a,b","type":"pair"}');
});

describe('clearing', () => {
  test.each([
    ['tool: Ledger\nclear_tools: true\ntool: Atlas\n', ['slice', 'draw']],
    ['tool: Ledger\nclear_tools:\nuser: x\n', []],
    ['tool: Ledger\nclear_tools: false\ntool: Atlas draw\n', ['add', 'draw']],
    ['tool: Ledger\nassociation: coast c.tsv\nclear_associations:\nassociation: sea s.tsv\n', ['add', 'sea']],
    ['association: coast c.tsv\nclear_tools:\n', []],
    ['tool: Nowhere\nclear_tools:\n', []],
  ])('%j', async (text, expected) => {
    expect(await names(text)).toEqual(expected);
  });

  test('leaves introductions, and no directive in the chat', async () => {
    const { chat } = await take('introduce: Atlas\nclear_tools:\nclear_associations: true\nwebsearch:\n');
    expect(chat.map(({ role }) => role)).toEqual(['user']);
  });
});

test.each([
  ['user: x\n', false],
  ['websearch:\n', true],
  ['websearch: false\n', false],
  ['websearch: true\nclear_tools:\n', false],
  ['websearch: true\nclear_associations:\n', true],
])('websearch: %j', async (text, expected) => {
  expect((await take(text)).websearch).toBe(expected);
});

describe('names', () => {
  const twice = 'tool: Atlas slice\nuser: x\ntool: Atlas\n';

  test('that meet are an error with both origins', async () => {
    await expect(names(twice)).rejects.toMatchObject({
      code: 'duplicate_tool',
      message: expect.stringMatching(/main\.chat:1 tool: Atlas slice.*main\.chat:3 tool: Atlas/),
    });
  });

  test('are told apart by as=', async () => {
    expect(await names('tool: Atlas\ntool: Atlas slice as=cut text\n')).toEqual(['slice', 'draw', 'cut']);
    await expect(names('tool: Atlas as=both\n')).rejects.toThrow(
      '`as=both` renames one tool, and this line declares 2',
    );
    await expect(names('tool: Atlas slice as="a b"\n')).rejects.toMatchObject({ code: 'invalid_tool' });
  });

  test('of a line that is there twice count once', async () => {
    expect(await names('tool: Atlas slice\ntool:  Atlas   slice\n')).toEqual(['slice']);
  });
});

describe('a declaration', () => {
  test.each([
    ['tool: Atlas\n', 'a workflow engine'],
    ['introduce: Atlas\n', 'a workflow engine'],
    ['mcp: wiki\n', 'an MCP client'],
    ['kb: family\n', 'a knowledge-base engine'],
    ['association: a b.tsv\n', 'a knowledge-base engine'],
  ])('%j without its engine is an error with its place', async (text, engine) => {
    await expect(take(`user: x\n${text}`, {})).rejects.toMatchObject({
      code: 'missing_engine',
      message: expect.stringMatching(new RegExp(`^main\\.chat:2: .*needs ${engine} .*in the context`)),
    });
  });

  test.each([
    ['tool: Nowhere\n', 'there is no workflow `Nowhere`'],
    ['tool: Atlas fly\n', 'there is no task `fly`; known: `slice`, `draw`'],
    ['tool: Atlas "slice\n', 'a quote is opened and not closed'],
    [`mcp: stdio "server 'x"\n`, 'a quote is opened and not closed'],
    ['tool:\n', 'expected the name of a workflow'],
    ['introduce: Atlas Ledger\n', 'one workflow and nothing behind it'],
    ['mcp: stdio\n', 'expected a command behind `stdio`'],
    ['association: a\n', 'expected a name and the path'],
    ['association: a b.tsv c\n', 'expected key=value behind the path, received `c`'],
  ])('%j is an error that says what was expected', async (text, message) => {
    await expect(take(text)).rejects.toThrow(message);
  });

  test.each([
    ['an engine that throws', () => Promise.reject(new Error('no route to host'))],
    ['one that throws anything', () => Promise.reject(Object.create(null))],
    ['one that gives nothing', () => undefined as never],
    ['one whose tools are none', () => [null as never]],
    ['one whose tools have names that no provider takes', () => [anyTool('files.read', () => 1)]],
  ])('with %s is an error with its place', async (_, mcp) => {
    await expect(take('user: x\nmcp: wiki\n', { mcp })).rejects.toMatchObject({
      name: 'ColophonError',
      message: expect.stringMatching(/^main\.chat:2: `mcp: wiki`: /),
      facts: { at: { file: 'main.chat', line: 2 }, role: 'mcp', cause: expect.anything() },
    });
  });

  test('whose engine was aborted passes the abort on', async () => {
    const mcp = () => AbortSignal.abort().throwIfAborted() as never;
    await expect(take('mcp: wiki\n', { mcp })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    'https://ann:hunter22@example.org/mcp?key=hunter22',
    'stdio "server --api-key hunter22"',
    'stdio "server --token=hunter22"',
    'stdio "server sk-hunter22hunter22"',
  ])('never brings a credential into an error: %s', async (server) => {
    const twice = `mcp: ${server} search\nmcp: ${server} fetch search\n`;
    const failures = [
      take(`mcp: ${server} nope\n`),
      take(`mcp: ${server}\n`, {}),
      take(twice),
      take(`mcp: ${server}\n`, { mcp: () => Promise.reject(new Error(`refused by ${server}`)) }),
    ];
    for (const { reason } of (await Promise.allSettled(failures)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ name: 'ColophonError', message: expect.stringContaining('mcp: ') });
      expect(reason.message + JSON.stringify({ ...reason.facts, cause: undefined })).not.toContain('hunter22');
    }
  });

  test('role can be added by spreading', async () => {
    const context = { ...sources, declarations: { gadget: () => ({ tools: [anyTool('gadget', () => 1)] }) } };
    const { tools, chat: rest } = await takeTools(parseChat('gadget: x\ntool: Atlas draw\n'), context);
    expect([tools.map(({ name }) => name), rest]).toEqual([['gadget', 'draw'], []]);
  });

  test('in an annotated chat is taken from it as from a plain one', async () => {
    const { chat: rest } = await takeTools(
      chat([
        { role: 'tool', content: 'Atlas draw' },
        { role: 'user', content: 'go' },
      ]),
      sources,
    );
    expect(rest).toEqual([{ role: 'user', content: 'go' }]);
  });
});

describe('switches', () => {
  const engines: ToolSources = {
    ...sources,
    socialize: () => [anyTool('ask', () => 1)],
    attachments: async () => [anyTool('attach', () => 1)],
  };

  test('the last line counts, and a word that is not yes means no', async () => {
    const named = async (text: string) => (await take(text, engines)).tools.map(({ name }) => name);
    expect(await named('socialize: true\nattachments: 1')).toEqual(['ask', 'attach']);
    expect(await named('socialize: true\nsocialize: false')).toEqual([]);
    expect(await named('socialize: no\nsocialize:  T ')).toEqual(['ask']);
    expect(await named('socialize: yes')).toEqual([]);
    expect(await named('socialize: true\nclear_tools: true\nattachments: True')).toEqual(['attach']);
  });

  test('stand in no chat, and tell where they were turned on', async () => {
    const { chat, tools } = await take('user: hi\n\nsocialize: true', engines);
    expect(chat.map(({ role }) => role)).toEqual(['user']);
    expect(tools[0]?.origin).toBe('main.chat:3 socialize: true');
  });

  test('need an engine only where they are on', async () => {
    await expect(take('socialize: true')).rejects.toMatchObject({ code: 'missing_engine', facts: { at: { line: 1 } } });
    await expect(take('attachments: true')).rejects.toMatchObject({ code: 'missing_engine' });
    expect((await take('socialize: false')).tools).toEqual([]);
  });
});
