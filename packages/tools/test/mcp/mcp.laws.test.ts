import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { runCalls, type Tool, toolDefinition, toolResult } from '@colophon/tools';
import { createMcpClients, serveMcp } from '@colophon/tools/mcp';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyTool, envelope, now } from '../run.js';

const full = process.env['COLOPHON_FUZZ'] === 'full';
const timeout = full ? 3_600_000 : 120_000;
/** Runs that open a connection each, and runs that share one. */
const connections = full ? 5_000 : 60;
const runs = full ? 50_000 : 300;

const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\r', '\ud800', '\udc00', '😀', 'ü', '{', '\0', '\u2028', ' '),
  maxLength: 12,
});
const json = fc.jsonValue({ stringUnit: 'binary' });
const wellFormedIn = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? part.toWellFormed() : part));

const openClients = () => createMcpClients({ clientInfo: { name: 'laws', version: '1' }, environment: {} });

const property = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null'),
      description: text,
      default: json,
    },
    { requiredKeys: [] },
  ),
  fc.record({ enum: fc.uniqueArray(text, { minLength: 1, maxLength: 3, selector: (it) => it.toWellFormed() }) }),
  fc.constantFrom<object | boolean>(
    true,
    { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/leaf' } }] },
    { type: 'string', pattern: '^a+$', format: 'date' },
    { nullable: true, type: 'string' },
  ),
);
const word = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/),
  fc.constantFrom('__proto__', 'constructor', 'a'.repeat(128)),
);
const schema = fc
  .record(
    {
      // A name with half a character is none that the compiler of schemas takes.
      properties: fc.dictionary(
        fc.oneof(word, text).map((name) => name.toWellFormed()),
        property,
        { maxKeys: 4 },
      ),
      required: fc.uniqueArray(word, { maxLength: 2 }),
      additionalProperties: fc.boolean(),
      title: text,
      defaults: fc.dictionary(
        word.filter((name) => name !== '__proto__'),
        json,
        { maxKeys: 2 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((it) => ({ type: 'object', $defs: { leaf: { type: 'number' } }, ...it }));

const failure = text.map((message) => () => {
  throw new Error(message);
});
const behaviour = fc.oneof(
  fc.oneof(text, json, fc.constantFrom<unknown>(undefined, 10n, Number.NaN, new Map([['a', 1]]))).map((it) => () => it),
  failure,
  text.map((it) => () => new Error(it)),
  text.map((it) => () => toolResult({ content: it, error: 'error' })),
  json.map((it) => () => toolResult({ content: { exception: 'broken', more: it }, error: 'error' })),
);
const flags = fc.record(
  { readOnly: fc.boolean(), destructive: fc.boolean(), idempotent: fc.boolean() },
  { requiredKeys: [] },
);
const registry = fc.uniqueArray(
  fc
    .tuple(word, text, schema, behaviour, flags)
    .map(([name, description, parameters, run, more]) => ({ name, description, parameters, run, ...more }) as Tool),
  { maxLength: 4, selector: ({ name }) => name },
);

// What does not fit is said by the side that sees it first: at home with the names of fixed inputs, elsewhere without.
const seen = ({ name, content, error }: Record<string, unknown>) => ({
  name,
  content: error === 'invalid_arguments' ? '' : content,
  failed: error !== undefined,
});

test('a registry that is served and consumed is the same registry: names, schemas, annotations, answers', {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(registry, fc.array(json, { maxLength: 4 }), async (tools, values) => {
      const transport = { kind: 'http', port: 0, randomId: randomUUID } as const;
      const serving = await serveMcp(tools, { name: 'laws', version: '1', now, transport });
      const clients = openClients();
      try {
        const remote = await clients.tools({ kind: 'http', url: serving.address! });
        const definitions = (list: readonly Tool[]) =>
          wellFormedIn(
            list.map(({ readOnly, destructive, idempotent, ...tool }) => ({
              ...toolDefinition(tool),
              readOnly,
              destructive,
              idempotent,
            })),
          );
        expect(definitions(remote)).toEqual(definitions(tools));
        const calls = [...tools.map(({ name }) => name), 'unknown'].flatMap((name, index) =>
          [{}, values[index]].map((sent, time) => ({ id: `${index}-${time}`, name, arguments: sent })),
        );
        const [here, there] = await Promise.all([runCalls(calls, tools, { now }), runCalls(calls, remote, { now })]);
        expect(there.outputs.map(envelope).map(seen)).toEqual(here.outputs.map(envelope).map(seen));
      } finally {
        await clients.close();
        await serving.close();
      }
    }),
    { numRuns: connections },
  );
});

test('texts of 10 MB pass both ways', { timeout }, async () => {
  const tools = [anyTool('echo', ({ value }) => value)];
  const transport = { kind: 'http', port: 0, randomId: randomUUID, maxBodyBytes: 1e8 } as const;
  const serving = await serveMcp(tools, { name: 'laws', version: '1', now, transport });
  const clients = openClients();
  const remote = await clients.tools({ kind: 'http', url: serving.address! });
  for (const unit of ['a', '"\n', 'ü😀', '\0']) {
    const value = unit.repeat(Math.ceil(10_000_000 / unit.length));
    const { outputs } = await runCalls([{ id: '1', name: 'echo', arguments: { value } }], remote, {
      now,
      maxContentLength: value.length,
    });
    const { content } = envelope(outputs[0]);
    if (content !== value) expect(String(content).slice(60, 300)).toBe('the same');
    expect(content === value).toBe(true);
  }
  await clients.close();
  await serving.close();
});

// A server by hand: lists the names it is told, and answers with whatever it is told.
let listed: unknown[] = [];
let answer: (call: { name: string }) => unknown = () => ({});
const http = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = body === '' ? ({} as never) : JSON.parse(body);
  if (request.method !== 'POST') return response.writeHead(405).end();
  if (id === undefined) return response.writeHead(202).end();
  const results: Record<string, () => unknown> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'hand', version: '1' },
    }),
    'tools/list': () => ({ tools: listed }),
    'tools/call': () => answer(params),
  };
  const result = results[method]?.();
  return response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
beforeAll(() => new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  http.close();
  http.closeAllConnections();
});
const url = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;

test('tools of any names are called by valid ones of their own, and the server is asked for the one it knows', {
  timeout,
}, async () => {
  const name = fc.oneof(text, word, fc.constantFrom('a.b', 'a_b', 'a/b', 'tool', '', 'x'.repeat(300), 'x'.repeat(128)));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), async (names) => {
      listed = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
      answer = (call) => ({ content: [{ type: 'text', text: JSON.stringify(call.name) }] });
      const clients = openClients();
      try {
        const tools = await clients.tools({ kind: 'http', url: url() });
        expect(tools).toHaveLength(names.length);
        expect(new Set(tools.map((tool) => tool.name)).size).toBe(names.length);
        for (const tool of tools) expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
        const calls = tools.map((tool, index) => ({ id: `${index}`, name: tool.name, arguments: {} }));
        const { outputs } = await runCalls(calls, tools, { now });
        expect(outputs.map((output) => envelope(output)['content'])).toEqual(names.map((it) => JSON.stringify(it)));
        for (const [index, own] of names.entries())
          if (/^[A-Za-z0-9_-]{1,128}$/.test(own)) expect(tools[index]!.name).toBe(own);
      } finally {
        await clients.close();
      }
    }),
    { numRuns: connections },
  );
});

test('whatever a server lists and answers, a call has an output that is text', { timeout }, async () => {
  listed = [{ name: 'probe', inputSchema: { type: 'object' } }];
  const clients = openClients();
  const tools = await clients.tools({ kind: 'http', url: url() });
  const item = fc.oneof(
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link'), text),
        text: fc.oneof(text, json),
        data: fc.oneof(text, json),
        resource: json,
      },
      { requiredKeys: [] },
    ),
    json,
  );
  const result = fc.oneof(
    fc.record(
      {
        content: fc.oneof(fc.array(item, { maxLength: 3 }), json),
        structuredContent: json,
        isError: fc.oneof(fc.boolean(), json),
        toolResult: json,
        _meta: json,
      },
      { requiredKeys: [] },
    ),
    json,
  );
  await fc.assert(
    fc.asyncProperty(result, async (it) => {
      answer = () => it;
      const { outputs } = await runCalls([{ id: '1', name: 'probe', arguments: {} }], tools, { now, timeLimit: 5_000 });
      const output = envelope(outputs[0]);
      expect(typeof output['content']).toBe('string');
      expect(String(output['content']).isWellFormed()).toBe(true);
      expect(['error', undefined]).toContain(output['error']);
    }),
    { numRuns: runs },
  );
  await clients.close();
});

test('no pattern of a server is checked for ever, and those that are quick are checked', { timeout }, async () => {
  const input = (pattern: string) => ({ type: 'string', description: 'A word.', pattern });
  const slow = [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^(?:a*)*b',
    'a*a*a*a*a*b',
    '^([a-z]+\\s?)+$',
    '(a{1,}){2,}',
    '^a{0,9999}a+$',
  ];
  const quick = ['^a+$', '^[+*(]a*$', '\\+a', '^\\d{4}-\\d\\d$', '^(north|south)$'];
  const names = [...slow, ...quick];
  const properties = Object.fromEntries(names.map((pattern, index) => [`i${index}`, input(pattern)]));
  const inputSchema = {
    type: 'object',
    properties,
    patternProperties: { '^(x+x+)+y': { type: 'number' }, '^z': input('^(b+)+$') },
  };
  listed = [{ name: 'probe', inputSchema }];
  answer = () => ({ content: [{ type: 'text', text: 'taken' }] });
  const clients = openClients();
  const tools = await clients.tools({ kind: 'http', url: url() });
  const word = `${'a'.repeat(3_000)}!`;
  const sent = {
    ...Object.fromEntries(slow.map((_, index) => [`i${index}`, word])),
    [`${'x'.repeat(3_000)}!`]: 1,
    z: word,
  };
  const calls = [sent, ...quick.map((_, index) => ({ [`i${slow.length + index}`]: word }))];
  const { outputs } = await runCalls(
    calls.map((it, index) => ({ id: `${index}`, name: 'probe', arguments: it })),
    tools,
    { now },
  );
  expect(outputs.map((output) => envelope(output)['error'])).toEqual([
    undefined,
    ...quick.map(() => 'invalid_arguments'),
  ]);
  // A model is told all of them.
  expect(tools[0]!.parameters['properties']).toMatchObject({
    i0: { type: 'string', description: 'A word. Pattern: ^(a+)+$' },
    [`i${slow.length}`]: input('^a+$'),
  });
  await clients.close();
});

test('a schema that is nested without end harms no other tool', { timeout }, async () => {
  let nested: object = { type: 'string' };
  for (let depth = 0; depth < 3_000; depth++) nested = { type: 'array', items: nested };
  listed = [
    { name: 'nested', inputSchema: { type: 'object', properties: { a: nested } } },
    { name: 'plain', inputSchema: { type: 'object' } },
  ];
  answer = ({ name }) => ({ content: [{ type: 'text', text: name }] });
  const clients = openClients();
  const tools = await clients.tools({ kind: 'http', url: url() });
  const calls = ['nested', 'plain'].map((name) => ({ id: name, name, arguments: {} }));
  const { outputs } = await runCalls(calls, tools, { now });
  expect(outputs.map((output) => envelope(output)['content'])).toEqual(['nested', 'plain']);
  await clients.close();
});

const broken = fc.constantFrom<object>(
  { type: 'no-type' },
  { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
  { type: 'object', properties: { a: { type: 'string', pattern: '(' }, b: 7 } },
  { properties: [] },
);

test('any lists are read: what can be called is a tool, and nothing else is an error', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          json,
          fc.record(
            {
              name: fc.oneof(text, json),
              description: json,
              inputSchema: fc.oneof(json, broken),
              annotations: json,
              execution: json,
            },
            { requiredKeys: [] },
          ),
        ),
        { maxLength: 4 },
      ),
      async (list) => {
        listed = list;
        answer = () => ({ content: [] });
        const clients = openClients();
        try {
          const tools = await clients.tools({ kind: 'http', url: url() });
          const calls = tools.map(({ name }, index) => ({ id: `${index}`, name, arguments: {} }));
          const { outputs } = await runCalls(calls, tools, { now });
          for (const output of outputs.map(envelope))
            expect([undefined, 'invalid_arguments']).toContain(output['error']);
        } finally {
          await clients.close();
        }
      },
    ),
    { numRuns: connections },
  );
});

test('requests are understood however they are cut, and whatever lines stand between them', { timeout }, async () => {
  const rubbish = fc.oneof(text, fc.json(), fc.constantFrom('{"id":5}', '[]', '{"jsonrpc":"2.0","id":"x","method":7}'));
  const request = (id: number, method: string, params = {}) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(rubbish, text), { maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      async (between, sizes, end) => {
        const [input, output] = [new PassThrough(), new PassThrough()];
        const serving = await serveMcp([anyTool('echo', ({ value }) => value)], {
          name: 'laws',
          version: '1',
          now,
          transport: { kind: 'stdio', input, output },
        });
        const lines = between.flatMap(([line, value], index) => [
          line.replaceAll(/[\r\n]/g, ' '),
          request(index + 100, 'tools/call', { name: 'echo', arguments: { value } }),
        ]);
        const bytes = Buffer.from([...lines, request(1, 'ping'), ''].join(end));
        for (let start = 0; start < bytes.length; ) {
          const size = sizes.next().value;
          input.write(bytes.subarray(start, start + size));
          start += size;
        }
        const answers = new Map<unknown, unknown>();
        let read = '';
        for await (const chunk of output) {
          read += chunk;
          const whole = read.split('\n');
          read = whole.pop() ?? '';
          for (const line of whole) {
            const { id, result } = JSON.parse(line);
            answers.set(id, result);
          }
          if (answers.has(1) && between.every((_, index) => answers.has(index + 100))) break;
        }
        for (const [index, [, value]] of between.entries())
          expect(answers.get(index + 100)).toEqual({ content: [{ type: 'text', text: value.toWellFormed() }] });
        input.end();
        await serving.ended;
      },
    ),
    { numRuns: full ? 50_000 : 200 },
  );
});
