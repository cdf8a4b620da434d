// An MCP server over stdio, written by hand, that does what no server should. `node faulty-server.mjs MODE [marker]`.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'plain', note = ''] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const never = () => setInterval(() => {}, 1_000);

if (mode === 'exit-at-start') {
  process.stderr.write(`no licence for ${process.env.LICENCE_KEY ?? 'you'}\n`);
  process.exit(7);
}
if (mode === 'silent') never();
if (mode === 'noisy-start') process.stdout.write('Welcome to the server!\n{"half": \n\u0000\u0001\n{"a":1}\n[]\n');
if (mode === 'silent-later') never();
if (mode === 'stubborn') {
  process.on('SIGTERM', () => {});
  never();
}
if (mode === 'leaves-grandchild') spawn('sleep', ['987'], { stdio: 'inherit', argv0: `sleep-${note}` });

const anything = { type: 'object' };
const lists = {
  plain: [],
  'odd-schemas': [
    { name: 'broken', inputSchema: { type: 'object', properties: { a: { type: 'no-type', description: 'An a.' } } } },
    { name: 'remote', inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.invalid/a.json' } } } },
    { name: 'schemaless' },
    {
      name: 'untyped',
      description: 'Says nothing of objects.',
      inputSchema: { properties: { a: { type: 'number' } } },
    },
    {
      name: 'draft7',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { type: 'array', items: [{ type: 'number' }] } },
      },
    },
    { description: 'has no name', inputSchema: anything },
    {
      name: 'hinted',
      title: 'Hinted tool',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      inputSchema: anything,
    },
    'no tool at all',
  ],
  'odd-names': ['a.b', 'a_b', 'a/b', '', 'ünï', 'x'.repeat(200), '__proto__', 'twice', 'twice'].map((name) => ({
    name,
    inputSchema: anything,
  })),
  'tools-error': [],
};
const names = [
  'echo',
  'answer',
  'die',
  'answer-and-die',
  'kill',
  'hang',
  'fail',
  'throw',
  'garbage',
  'flood',
  'ask',
  'progress',
  'grandchild',
  'close-output',
  'pid',
  'environment',
  'until-cancelled',
  'invalid',
  'huge',
];
const tools = lists[mode]?.length > 0 ? lists[mode] : names.map((name) => ({ name, inputSchema: anything }));

const list = (params) => {
  if (mode === 'pages') {
    const page = Number(params.cursor ?? 0);
    return { tools: tools.slice(page, page + 1), ...(page < tools.length - 1 ? { nextCursor: String(page + 1) } : {}) };
  }
  if (mode === 'same-page') return { tools, nextCursor: 'again' };
  if (mode === 'endless-pages')
    return {
      tools: [{ name: `t${params.cursor ?? 0}`, inputSchema: anything }],
      nextCursor: String(Number(params.cursor ?? 0) + 1),
    };
  return { tools };
};

const asked = new Map();
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `ask-${asked.size}`;
    asked.set(id, resolve);
    send({ id, method, params });
  });

const calls = {
  echo: ({ message }) => text(String(message)),
  answer: ({ result }) => result,
  die: () => process.exit(3),
  'answer-and-die': (_, __, id) => {
    send({ id, result: text('last words') });
    process.exit(0);
  },
  kill: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => new Promise(() => {}),
  fail: () => ({ ...text('The oven is off.'), isError: true }),
  throw: () => Promise.reject({ code: -32050, message: `broken, key ${process.env.SECRET_KEY ?? 'none'}` }),
  garbage: () => {
    process.stdout.write('debug: here I am\n\n{not json}\n"text"\n{"jsonrpc":"2.0","id":99999,"result":{}}\n');
    return text('after the garbage');
  },
  flood: () => {
    for (let line = 0; line < 200; line++) process.stderr.write(`${'e'.repeat(100_000)}\n`);
    return text('after the flood');
  },
  ask: async () => {
    const message = { role: 'user', content: { type: 'text', text: 'hi' } };
    const answers = await Promise.all([
      ask('sampling/createMessage', { messages: [message], maxTokens: 5 }),
      ask('elicitation/create', { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }),
      ask('roots/list'),
      ask('ping'),
    ]);
    return text(JSON.stringify(answers.map(({ error, result }) => error?.code ?? result)));
  },
  progress: (_, { progressToken }) => {
    for (const progress of [1, 2])
      send({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 2, message: `step ${progress}` },
      });
    send({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: 1 } });
    send({ method: 'notifications/tools/list_changed' });
    return text('done');
  },
  grandchild: () => {
    const child = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done', `sh-${note}`], { stdio: 'inherit' });
    return text(String(child.pid));
  },
  'close-output': () => {
    process.stdout.end();
    never();
    return new Promise(() => {});
  },
  pid: () => text(String(process.pid)),
  environment: () => text(JSON.stringify(process.env)),
  'until-cancelled': () => new Promise(() => {}),
  invalid: () => 'no result at all',
  huge: ({ length }) => text('h'.repeat(length)),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  if (mode === 'silent') return;
  const { id, method, params = {}, ...rest } = JSON.parse(line);
  if (method === undefined) return asked.get(id)?.(rest);
  if (method === 'notifications/cancelled' && note.includes('/'))
    appendFileSync(note, `${params.requestId} ${params.reason}\n`);
  if (id === undefined) return;
  const answers = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: mode === 'toolless' ? {} : { tools: {} },
      serverInfo: { name: 'faulty', version: '1' },
    }),
    'tools/list': () =>
      mode === 'tools-error' ? Promise.reject({ code: -32603, message: 'the list is lost' }) : list(params),
    'tools/call': () => calls[params.name](params.arguments ?? {}, params._meta ?? {}, id),
    ping: () => ({}),
  };
  try {
    send({ id, result: await answers[method]() });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } });
  }
});
