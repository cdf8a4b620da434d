import { type Message, pairToolCalls, toolCallStatus } from '@colophon/chat-format';
import { callMessages, runCalls } from '@colophon/tools';
import { describe, expect, test } from 'vitest';
import { answer, answerOne, anyTool, envelope, exception, now } from './run.js';

const cook = {
  name: 'cook',
  description: 'Cooks a dish',
  parameters: {
    type: 'object',
    properties: { dish: { type: 'string' }, size: { type: 'integer' } },
    required: ['dish'],
    additionalProperties: false,
  },
  run: (parameters: unknown) => parameters,
};

test('an envelope has its keys in a fixed order', async () => {
  const { calls, outputs } = await runCalls(
    [{ id: 'c1', name: 'cook', arguments: { dish: 'stew' } }],
    [{ ...cook, run: () => 'done' }],
    { now },
  );
  expect(calls).toEqual([{ role: 'function_call', content: '{"name":"cook","arguments":{"dish":"stew"},"id":"c1"}' }]);
  expect(outputs).toEqual([
    {
      role: 'function_call_output',
      content:
        '{"name":"cook","content":"done","id":"c1","start_timestamp":"2031-04-02T09:15:00.250Z","timestamp":"2031-04-02T09:15:00.250Z"}',
    },
  ]);
});

describe('arguments', () => {
  test('are mended by the tool before they are checked; the call is recorded as it was sent', async () => {
    const tool = {
      ...cook,
      prepare: (sent: Record<string, unknown>) => ({ ...sent, size: Number(sent['size']) }),
    };
    const call = { id: 'c1', name: 'cook', arguments: { dish: 'stew', size: '2' } };
    const { calls, outputs } = await runCalls([call], [tool], { now });
    expect(envelope(outputs[0])['content']).toBe('{"dish":"stew","size":2}');
    expect(calls[0]?.content).toContain('"size":"2"');
    const broken = {
      ...cook,
      prepare: () => {
        throw new Error('no');
      },
    };
    expect(envelope((await runCalls([call], [broken], { now })).outputs[0])).toMatchObject({ error: 'error' });
  });

  test('come as a value or as JSON text; nothing is no arguments', async () => {
    const tool = anyTool('echo', (parameters) => parameters);
    const sent = [{ a: 1 }, '{"a":1}', '"{\\"a\\":1}"', '', null, undefined, '  '];
    const outputs = await answer(
      sent.map((value, index) => ({ id: `c${index}`, name: 'echo', arguments: value })),
      [tool],
    );
    expect(outputs.map(({ content }) => content)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}', '{}', '{}', '{}', '{}']);
  });

  test.each([
    ['text that is no JSON', '{"dish": ', 'The arguments are not JSON'],
    ['an array', '["stew"]', 'received an array'],
    ['a number', 5, 'received a number'],
    ['a wrong type', { dish: 7 }, 'dish: expected string, received number 7'],
    ['a missing one', { size: 2 }, 'dish: required, but missing'],
    ['an unknown one', { dish: 'stew', colour: 'red' }, 'colour: not known here; known: dish, size'],
  ])('%s is an error that the model can mend', async (_, sent, message) => {
    const [output] = await answer([{ id: 'c1', name: 'cook', arguments: sent }], [cook]);
    expect(output).toMatchObject({ id: 'c1', name: 'cook', error: 'invalid_arguments' });
    expect(exception(output)).toContain(message);
  });

  test('nested problems are told with their paths', async () => {
    const tool = anyTool('plan', () => 'ok', {
      parameters: {
        type: 'object',
        properties: {
          steps: {
            type: 'array',
            items: {
              type: 'object',
              properties: { mode: { enum: ['a', 'b'] }, when: { type: 'string', format: 'date' } },
            },
          },
          'odd/name~': { type: 'number', maximum: 3 },
        },
      },
    });
    const [output] = await answer(
      [{ id: 'c1', name: 'plan', arguments: { steps: [{ mode: 'a' }, { mode: 'c', when: 'soon' }], 'odd/name~': 9 } }],
      [tool],
    );
    expect(exception(output).split('\n')).toEqual([
      'The arguments do not fit.',
      'steps[1].mode: expected one of ["a","b"], received string "c"',
      'steps[1].when: expected date, received string "soon"',
      'odd/name~: must be <= 3, received number 9',
    ]);
  });

  test('defaults beside the properties override what the model sends', async () => {
    const parameters = { ...cook.parameters, defaults: { dish: 'stew', table: 4 } };
    const [output] = await answer(
      [{ id: 'c1', name: 'cook', arguments: { dish: 'soup', size: 2 } }],
      [{ ...cook, parameters }],
    );
    expect(output?.['content']).toBe('{"dish":"stew","size":2,"table":4}');
  });

  test('a fixed value stands in for a required one and need not fit the schema', async () => {
    const parameters = { ...cook.parameters, defaults: { dish: 5 } };
    const [output] = await answer([{ id: 'c1', name: 'cook', arguments: {} }], [{ ...cook, parameters }]);
    expect(output?.['content']).toBe('{"dish":5}');
  });

  test('a string that names a file stays that string', async () => {
    const [output] = await answer([{ id: 'c1', name: 'cook', arguments: { dish: import.meta.filename } }], [cook]);
    expect(output?.['content']).toBe(JSON.stringify({ dish: import.meta.filename }));
  });

  test('__proto__ is an argument like any other', async () => {
    const tool = anyTool('echo', (parameters) => [
      Object.keys(parameters),
      ({} as Record<string, unknown>)['bad'] ?? 'clean',
    ]);
    const [output] = await answer([{ id: 'c1', name: 'echo', arguments: '{"__proto__":{"bad":true}}' }], [tool]);
    expect(output?.['content']).toBe('[["__proto__"],"clean"]');
  });

  const endless: Record<string, unknown> = {};
  endless['self'] = endless;
  test.each([
    ['nested deeper than the stack', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['that contain themselves', endless],
    ['that are a function', () => 1],
  ])('%s never make a tool run on less than what was sent', async (_, sent) => {
    let ran = false;
    const tool = anyTool('probe', () => {
      ran = true;
    });
    const [output] = await answer([{ id: 'c1', name: 'probe', arguments: sent }], [tool]);
    expect(output).toMatchObject({ error: 'invalid_arguments' });
    expect(exception(output)).toContain('can not be written as JSON');
    expect(ran).toBe(false);
  });

  test('that a tool changes stay as they were recorded, and so do fixed values', async () => {
    const tool = anyTool('spoil', ({ list, fixed }) => [(list as number[]).push(2), (fixed as number[]).push(2)], {
      parameters: { type: 'object', defaults: { fixed: [1] } },
    });
    const sent = ['c1', 'c2'].map((id) => ({ id, name: 'spoil', arguments: { list: [1] } }));
    const { calls, outputs } = await runCalls(sent, [tool], { now });
    expect(calls).toEqual(callMessages(sent));
    expect(outputs.map((output) => envelope(output)['content'])).toEqual(['[2,2]', '[2,2]']);
    expect(sent[0]).toEqual({ id: 'c1', name: 'spoil', arguments: { list: [1] } });
  });

  test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])('%s is a name like any other', async (name) => {
    const properties = { [name]: { type: 'string' } };
    const optional = anyTool('optional', () => 'ran', { parameters: { type: 'object', properties } });
    const required = anyTool('required', () => 'ran', { parameters: { type: 'object', properties, required: [name] } });
    const [one, other] = await answer(
      ['optional', 'required'].map((tool) => ({ id: tool, name: tool, arguments: {} })),
      [optional, required],
    );
    expect(one?.['content']).toBe('ran');
    expect(exception(other)).toContain(`${name}: required, but missing`);
  });

  test.each([
    { minProperties: 5 },
    { not: { required: ['token'] } },
    { oneOf: [{ const: 1 }, { enum: [2] }] },
    { type: 'array' },
    { dependentRequired: { token: ['other'] } },
    { propertyNames: { pattern: '^z' } },
  ])('that do not fit %j are told without the values that are fixed', async (rule) => {
    const parameters = { type: 'object', ...rule, defaults: { token: 'fixed-and-hidden' } };
    const [output] = await answer(
      [{ id: 'c1', name: 'probe', arguments: { a: 'mine' } }],
      [anyTool('probe', () => 'ran', { parameters })],
    );
    expect(output).toMatchObject({ error: 'invalid_arguments' });
    expect(output?.['content']).not.toContain('fixed-and-hidden');
  });

  test('whatever a fixed value is, it passes', async () => {
    const parameters = { type: 'object', patternProperties: { '^t': { type: 'number' } }, defaults: { token: 'text' } };
    const sent = [{}, { t2: 'x' }].map((value, index) => ({ id: `c${index}`, name: 'probe', arguments: value }));
    const [fine, wrong] = await answer(sent, [anyTool('probe', () => 'ran', { parameters })]);
    expect(fine?.['content']).toBe('ran');
    expect(exception(wrong)).toBe('The arguments do not fit.\nt2: expected number, received string "x"');
  });
});

describe('schemas', () => {
  const answerWith = async (parameters: Record<string, unknown>, sent: unknown) =>
    (await answer([{ id: 'c1', name: 'probe', arguments: sent }], [anyTool('probe', () => 'ok', { parameters })]))[0];

  test.each([
    ['2020-12 tuples', { properties: { p: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false } } }],
    [
      'draft-07 tuples',
      { properties: { p: { items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false } } },
    ],
    [
      'a named draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { p: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false } },
        properties: { p: { $ref: '#/definitions/p' } },
      },
    ],
    [
      'a named 2020-12',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $defs: { p: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false } },
        properties: { p: { $ref: '#/$defs/p' } },
      },
    ],
  ])('%s are understood', async (_, parameters) => {
    expect(await answerWith({ type: 'object', ...parameters }, { p: ['a', 1] })).toMatchObject({ content: 'ok' });
    expect(await answerWith({ type: 'object', ...parameters }, { p: ['a', 'b'] })).toMatchObject({
      error: 'invalid_arguments',
    });
    expect(await answerWith({ type: 'object', ...parameters }, { p: ['a', 1, 2] })).toMatchObject({
      error: 'invalid_arguments',
    });
  });

  test('unknown keywords and formats are let through', async () => {
    const parameters = {
      type: 'object',
      'x-order': 1,
      properties: { p: { type: 'string', format: 'colour', widget: 'slider' } },
    };
    expect(await answerWith(parameters, { p: 'teal' })).toMatchObject({ content: 'ok' });
  });

  test.each([
    ['an unknown type', { type: 'objekt' }],
    ['a broken pattern', { properties: { p: { pattern: '(' } } }],
    ['a reference to elsewhere', { properties: { p: { $ref: 'https://example.org/p.json' } } }],
    ['an endless reference', { $ref: '#' }],
    ['a null in it', { properties: { p: null } }],
  ])('one with %s gives an error output', async (_, parameters) => {
    const output = await answerWith(parameters, { p: 1 });
    expect(output).toMatchObject({ error: 'error' });
    expect(exception(output)).toContain('no valid JSON Schema');
  });

  test("OpenAPI's nullable is let through where it stands without a type", async () => {
    const parameters = { properties: { p: { enum: ['a'], nullable: true }, q: { type: 'integer' } } };
    expect(await answerWith(parameters, { p: 'a' })).toMatchObject({ content: 'ok' });
    expect(await answerWith(parameters, { p: 'a', q: 'x' })).toMatchObject({ error: 'invalid_arguments' });
  });

  test('a long text in the format of an address is checked at once', async () => {
    const parameters = { properties: { p: { format: 'url' } } };
    expect(await answerWith(parameters, { p: 'http://a/%41'.repeat(20_000) })).toMatchObject({ content: 'ok' });
    expect(await answerWith(parameters, { p: '//a/%41'.repeat(20_000) })).toMatchObject({
      error: 'invalid_arguments',
    });
  });

  test('two that share an $id do not meet', async () => {
    const schema = (type: string) => ({ $id: 'https://example.org/same', type: 'object', properties: { p: { type } } });
    expect(await answerWith(schema('string'), { p: 'x' })).toMatchObject({ content: 'ok' });
    expect(await answerWith(schema('integer'), { p: 1 })).toMatchObject({ content: 'ok' });
  });
});

test('an unknown tool is an error that lists what there is', async () => {
  const tools = [anyTool('read_file', () => 'x'), anyTool('write_file', () => 'x')];
  const [typo, proto] = await answer(
    [
      { id: 'c1', name: 'raed_file', arguments: {} },
      { id: 'c2', name: '__proto__', arguments: {} },
    ],
    tools,
  );
  expect(typo).toMatchObject({ error: 'not_found' });
  expect(exception(typo)).toBe('There is no tool named `raed_file`. Available: read_file, write_file.');
  expect(proto).toMatchObject({ error: 'not_found' });
});

test('a call without an id gets one, is not run, and its output pairs with it', async () => {
  let ran = false;
  const calls = [
    { name: 'probe', arguments: {} },
    { id: '', name: 'probe', arguments: {} },
  ];
  const round = await runCalls(calls, [anyTool('probe', () => (ran = true))], { now });
  expect(ran).toBe(false);
  expect(round.calls).toEqual(callMessages(calls));
  const pairs = pairToolCalls([...round.calls, ...round.outputs]);
  expect(pairs.map((pair) => [pair.outputAddress, toolCallStatus(pair).success])).toEqual([
    [2, false],
    [3, false],
  ]);
  expect(new Set(pairs.map(({ callId }) => callId)).size).toBe(2);
});

describe('what a tool returns', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  test.each([
    ['nothing', undefined, 'success'],
    ['null', null, 'success'],
    ['text', 'ab', 'ab'],
    ['empty text', '', ''],
    ['a number', 12, '12'],
    ['a truth value', false, 'false'],
    ['a big integer', 12345678901234567890n, '12345678901234567890'],
    ['an array', ['b', 2], '["b",2]'],
    ['an object', { k: 1, z: 2 }, '{"k":1,"z":2}'],
    ['a map', new Map([['k', new Set([1n])]]), '{"k":["1"]}'],
    ['bytes that are text', new TextEncoder().encode('grüezi'), 'grüezi'],
    ['a buffer', Buffer.from('grüezi'), 'grüezi'],
    [
      'an object that looks like a result',
      { content: 'x', step: 'Atlas/survey/1' },
      '{"content":"x","step":"Atlas/survey/1"}',
    ],
    ['content beside a meta that is no receipt', { content: 'x', meta: 'y' }, '{"content":"x","meta":"y"}'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ])('%s', async (_, value, content) => {
    expect(await answerOne(() => value)).toEqual({
      name: 'probe',
      content,
      id: 'a1',
      start_timestamp: now().toISOString(),
      timestamp: now().toISOString(),
    });
  });

  test.each([
    ['an error', new Error('shovel broke'), 'shovel broke'],
    ['a circular object', circular, 'can not be written as JSON'],
    ['a function', () => 1, 'a function, which has no text'],
    ['bytes that are no text', new Uint8Array([0, 255, 1]), '3 bytes that are no UTF-8 text'],
    [
      'something that can not be read',
      {
        get x() {
          throw new Error('locked');
        },
      },
      'locked',
    ],
  ])('%s is an error', async (_, value, message) => {
    const output = await answerOne(() => value);
    expect(output).toMatchObject({ error: 'error' });
    expect(exception(output)).toContain(message);
  });

  test('an object with exactly content and meta is unpacked; entries without a field are dropped', async () => {
    const meta = [{ tt: 5, inference_id: 'w3' }, {}, { job: 'Atlas/survey/1' }];
    expect(await answerOne(() => ({ content: { k: 1 }, meta }))).toMatchObject({
      content: '{"k":1}',
      meta: [meta[0], meta[2]],
    });
  });
});

describe('what a tool throws', () => {
  const hostile = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('no');
    },
  });

  test.each([
    ['an error', new Error('no compass'), 'no compass'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a frozen error', Object.freeze(new Error('ice')), 'ice'],
    [
      'an error with its causes',
      new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'fetch failed: connect ECONNREFUSED',
    ],
    ['several errors', new AggregateError([new Error('a'), new Error('b')]), 'a; b'],
    ['text', 'fog', 'fog'],
    ['nothing', undefined, 'it failed without saying why'],
    ['null', null, 'it failed without saying why'],
    ['an object', { code: 7 }, '{"code":7}'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an abort of its own', new DOMException('gone', 'AbortError'), 'gone'],
    ['an error that can not be read', hostile, 'it failed with something that can not be read'],
  ])('%s becomes an output', async (_, thrown, message) => {
    for (const run of [
      () => {
        throw thrown;
      },
      async () => {
        throw thrown;
      },
    ]) {
      const output = await answerOne(run);
      expect(output).toMatchObject({ error: 'error', id: 'a1' });
      expect(JSON.parse(String(output['content']))).toEqual({ exception: message });
    }
  });

  test('never brings stack lines or credentials to the model', async () => {
    const error = new Error(
      `refused\n    at run (/srv/app/tool.js:3:9)\n    at async go (node:internal:1:1)\ncalled https://ada:hunter22@example.org/?key=abcdefgh with Bearer abcdefghijkl and sk-proj-abcdefghijklmnop`,
    );
    expect(
      exception(
        await answerOne(() => {
          throw error;
        }),
      ),
    ).toBe('refused\ncalled https://[hidden]@example.org/?key=[hidden] with Bearer [hidden] and [hidden]');
  });

  test('stays a failure when its message is very long', async () => {
    const output = await answerOne(() => {
      throw new Error('x'.repeat(500_000));
    });
    expect(output['error']).toBe('error');
    expect(exception(output)).toMatch(/^x{10000} … \(500000 characters in all\)$/);
  });
});

test('a revoked proxy, returned, thrown or sent, is an error output', async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const outputs = [
    await answerOne(async () => [proxy]),
    await answerOne(() => {
      throw proxy;
    }),
    (await answer([proxy as never], []))[0],
  ];
  expect(outputs.map((output) => output?.['error'])).toEqual(['error', 'error', 'invalid_arguments']);
});

describe('the limit of content', () => {
  test('replaces longer content by both lengths, head and tail', async () => {
    const output = await answerOne(() => `${'a'.repeat(250)}${'z'.repeat(250)}`, { maxContentLength: 200 });
    expect(output['error']).toBe('truncated');
    expect(JSON.parse(String(output['content']))).toEqual({
      exception: expect.stringMatching(/500 characters, more than the limit of 200/),
      head: 'a'.repeat(40),
      tail: 'z'.repeat(40),
    });
  });

  test('is 100,000 characters, and content of just that length passes', async () => {
    expect((await answerOne(() => 'x'.repeat(100_000)))['content']).toHaveLength(100_000);
    expect(await answerOne(() => 'x'.repeat(100_001))).toMatchObject({ error: 'truncated' });
  });

  test('cuts no pair of surrogates', async () => {
    const output = await answerOne(() => `x${'😀'.repeat(200)}y`, { maxContentLength: 201 });
    const { head, tail } = JSON.parse(String(output['content']));
    expect([head, tail]).toEqual([`x${'😀'.repeat(19)}`, `${'😀'.repeat(19)}y`]);
  });
});

describe('a round', () => {
  const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  test('runs in parallel, tells outputs as they end, returns them in the order of the calls', async () => {
    const gates = new Map<string, () => void>();
    const tool = anyTool(
      'wait',
      ({ key }) => new Promise<string>((resolve) => gates.set(String(key), () => resolve(`done ${key}`))),
    );
    const told: [string, number][] = [];
    const running = runCalls(
      ['a', 'b', 'c'].map((key) => ({ id: key, name: 'wait', arguments: { key } })),
      [tool],
      { now, onOutput: (message, index) => told.push([String(envelope(message)['id']), index]) },
    );
    while (gates.size < 3) await sleep(1);
    for (const key of ['c', 'a', 'b']) {
      gates.get(key)?.();
      await sleep(1);
    }
    const { outputs } = await running;
    expect(told).toEqual([
      ['c', 2],
      ['a', 0],
      ['b', 1],
    ]);
    expect(outputs.map((message) => envelope(message)['content'])).toEqual(['done a', 'done b', 'done c']);
  });

  test('never runs more at a time than the limit', async () => {
    let running = 0;
    let most = 0;
    const tool = anyTool('count', async () => {
      most = Math.max(most, ++running);
      await sleep(2);
      running--;
    });
    const calls = Array.from({ length: 20 }, (_, index) => ({ id: `c${index}`, name: 'count', arguments: {} }));
    await answer(calls, [tool], { concurrency: 3 });
    expect(most).toBe(3);
  });

  test('calls of one id are told in their order, so that readers pair them right', async () => {
    const tool = anyTool('late', async ({ pause }) => {
      await sleep(Number(pause));
      return pause;
    });
    const told: Message[] = [];
    const { calls } = await runCalls(
      [30, 10, 1].map((pause, index) => ({ id: index === 1 ? 'other' : 'same', name: 'late', arguments: { pause } })),
      [tool],
      { now, onOutput: (message) => told.push(message) },
    );
    expect(told.map((message) => envelope(message)['content'])).toEqual(['10', '30', '1']);
    const pairs = pairToolCalls([...calls, ...told]);
    expect(pairs.map(({ arguments: sent, output }) => [sent, output])).toEqual(
      [30, 10, 1].map((pause) => [{ pause }, String(pause)]),
    );
  });

  test('a call that never ends is stopped by its time limit, and its tool is told', async () => {
    let signal: AbortSignal | undefined;
    const never = anyTool('never', (_, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const [output] = await answer([{ id: 'c1', name: 'never', arguments: {} }], [never], { timeLimit: 5 });
    expect(output).toMatchObject({ error: 'timeout' });
    expect(exception(output)).toContain('longer than its limit of 0.005 s');
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  test("a tool's own time limit beats the round's", async () => {
    const slow = anyTool('slow', () => sleep(20), { timeout: Number.POSITIVE_INFINITY });
    const quick = anyTool('quick', () => new Promise(() => {}), { timeout: 5 });
    const outputs = await answer(
      [
        { id: 'c1', name: 'slow', arguments: {} },
        { id: 'c2', name: 'quick', arguments: {} },
      ],
      [slow, quick],
      { timeLimit: 10 },
    );
    expect(outputs.map(({ error, content }) => error ?? content)).toEqual(['success', 'timeout']);
  });

  test('an abort ends every unfinished call at once, running or waiting; what had ended stays', async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const tools = [
      anyTool('fast', () => 'done'),
      anyTool('hang', (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      }),
    ];
    const names = ['fast', 'hang', 'hang', 'hang', 'hang'];
    const told: number[] = [];
    const running = answer(
      names.map((name, index) => ({ id: `c${index}`, name, arguments: {} })),
      tools,
      {
        concurrency: 2,
        signal: controller.signal,
        onOutput: (_, index) => told.push(index),
      },
    );
    while (signals.length < 2) await sleep(1);
    controller.abort(new Error('stopped by the user'));
    const outputs = await running;
    expect(outputs.map(({ error, content }) => error ?? content)).toEqual([
      'done',
      'aborted',
      'aborted',
      'aborted',
      'aborted',
    ]);
    expect(exception(outputs[1])).toContain('stopped by the user');
    expect(signals).toHaveLength(2);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(told).toEqual([0, 1, 2, 3, 4]);
  });

  test('under a signal that is aborted already nothing runs', async () => {
    let ran = false;
    const output = await answerOne(() => (ran = true), { signal: AbortSignal.abort() });
    expect(output).toMatchObject({ error: 'aborted' });
    expect(ran).toBe(false);
  });

  test('progress is passed on until the call is over', async () => {
    let late = () => {};
    const told: unknown[] = [];
    await answerOne(
      (_, { onProgress, callId }) => {
        onProgress({ message: `half of ${callId}`, done: 1, total: 2 });
        late = () => onProgress({ message: 'too late' });
      },
      { onProgress: (progress, call) => told.push([progress, call]) },
    );
    late();
    expect(told).toEqual([
      [
        { message: 'half of a1', done: 1, total: 2 },
        { id: 'a1', name: 'probe', index: 0 },
      ],
    ]);
  });

  test('where an output can not be recorded the round stops and says so', async () => {
    let ran = 0;
    const tool = anyTool('probe', () => ++ran);
    const calls = Array.from({ length: 50 }, (_, index) => ({ id: `c${index}`, name: 'probe', arguments: {} }));
    const told: number[] = [];
    const running = runCalls(calls, [tool], {
      now,
      concurrency: 1,
      onOutput: async (_, index) => {
        told.push(index);
        if (index === 1) throw new Error('disk full');
      },
    });
    await expect(running).rejects.toThrow('disk full');
    expect(told).toEqual([0, 1]);
    expect(ran).toBeLessThan(10);
  });

  test('what the context adds reaches the tool', async () => {
    const output = await answerOne((_, { chat }) => chat, { toolContext: { chat: 'main.chat' } });
    expect(output['content']).toBe('main.chat');
  });
});
