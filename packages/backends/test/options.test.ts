import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AskAgent, ask, type DirectBackend, type WireBackend } from '@colophon/backends';
import { scriptedServer } from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';
import { freshFolder, spy, testContext } from './helpers.js';

const line = (role: string, content: string) => ({ role, content });

const withEndpoint = (name: string, text: string) => {
  const folder = freshFolder();
  const root = join(folder, 'own');
  mkdirSync(join(root, 'etc', 'AI'), { recursive: true });
  writeFileSync(join(root, 'etc', 'AI', `${name}.yaml`), text);
  return { folder, root };
};

/** A wire backend that shows what it was given. */
const probe = (more: Partial<WireBackend> = {}) => {
  const seen: { credentials?: unknown; model?: string; parameters?: unknown } = {};
  const backend: WireBackend = {
    name: 'probe',
    defaultModel: 'default-model',
    environment: { key: ['PROBE_SECRET'], url: ['PROBE_HOST'] },
    capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true, cacheBreakpoints: false },
    toRequest: (_chat, _tools, { model, parameters }) => Object.assign(seen, { model, parameters }),
    client: (credentials) => Object.assign(seen, { credentials }),
    send: async () => ({}),
    fromReply: () => ({ messages: [{ role: 'assistant', content: 'fine' }], calls: [] }),
    ...more,
  };
  return { backend, backends: { probe: backend }, seen };
};

describe('precedence: call > chat > endpoint > environment > default', () => {
  const sources = ['call', 'chat', 'endpoint', 'environment'] as const;
  const subsets = Array.from({ length: 16 }, (_, bits) => sources.filter((_source, index) => bits & (1 << index)));

  test.each(subsets.map((subset) => [subset.join('+') || 'none', subset] as const))(
    'model from %s',
    async (_name, subset) => {
      const has = (source: (typeof sources)[number]) => subset.includes(source);
      const { folder, root } = withEndpoint(
        'e',
        has('endpoint') ? 'model: of-endpoint\ntemperature: 3' : 'temperature: 3',
      );
      const { backends, seen } = probe();
      const environment = {
        ...(has('environment') ? { PROBE_MODEL: 'of-environment' } : {}),
        COLOPHON_BACKEND: 'probe',
        COLOPHON_ENDPOINT: 'e',
      };
      const context = testContext(folder, { environment, root });
      const chat = [...(has('chat') ? [line('model', 'of-chat'), line('option', 'temperature 2')] : []), 'go'];
      await ask(chat, { backends, context, ...(has('call') ? { model: 'of-call', temperature: 1 } : {}) });
      expect(seen.model).toBe(subset[0] ? `of-${subset[0]}` : 'default-model');
      expect(seen.parameters).toEqual({ temperature: has('call') ? 1 : has('chat') ? 2 : 3 });
    },
  );

  test('the endpoint: call > chat > COLOPHON_ENDPOINT', async () => {
    const { folder, root } = withEndpoint('one', 'model: model-one');
    writeFileSync(join(root, 'etc', 'AI', 'two.yaml'), 'model: model-two');
    writeFileSync(join(root, 'etc', 'AI', 'three.yml'), 'model: model-three');
    const { backend, seen } = probe();
    const context = testContext(folder, { root, environment: { COLOPHON_ENDPOINT: 'three' } });
    await ask('go', { backend, context });
    expect(seen.model).toBe('model-three');
    await ask([line('endpoint', 'two'), 'go'], { backend, context });
    expect(seen.model).toBe('model-two');
    await ask([line('endpoint', 'two'), 'go'], { backend, context, endpoint: 'one' });
    expect(seen.model).toBe('model-one');
    await ask([line('endpoint', 'two'), 'go'], { backend, context, endpoint: null });
    expect(seen.model).toBe('default-model');
  });

  test('null unsets what weaker sources say', async () => {
    const { folder, root } = withEndpoint('e', 'top_p: 0.5\nseed: 7');
    const { backend, seen } = probe();
    await ask([line('option', 'temperature 2'), 'go'], {
      backend,
      context: testContext(folder, { root }),
      endpoint: 'e',
      temperature: null,
      top_p: null,
    });
    expect(seen.parameters).toEqual({ seed: 7 });
  });

  test('the default backend is responses, COLOPHON_BACKEND names another', async () => {
    const context = testContext(freshFolder(), { environment: { COLOPHON_BACKEND: 'probe' } });
    const { backends, seen } = probe();
    await ask('go', { backends, context });
    expect(seen.model).toBe('default-model');
    await expect(ask('go', { backends, context: testContext(freshFolder()) })).rejects.toThrow(
      'There is no backend `responses`. Known: `probe`',
    );
  });

  test('an endpoint for another backend lends neither key nor model nor parameters to the one that is asked', async () => {
    const { folder, root } = withEndpoint(
      'claude',
      'backend: anthropic\nmodel: claude-x\nkey: sk-of-claude\nthinking: true\nmax_rounds: 7',
    );
    const { backend, seen } = probe();
    const context = testContext(folder, { root, environment: { COLOPHON_ENDPOINT: 'claude' } });
    await ask('go', { backend, context });
    expect(seen).toEqual({ model: 'default-model', parameters: {}, credentials: {} });
  });
});

describe('parameters', () => {
  const strict = (parameters: string[]): DirectBackend => ({ ...spy(() => 'x').backend, parameters });

  test('an option that the backend does not know is an error that names it, the near ones, and the way through', async () => {
    const { backend, asked } = spy(() => 'x', { parameters: ['temperature', 'top_p', 'reasoning_*'] });
    await expect(ask('go', { backend, temprature: 1, wild_thing: 2 })).rejects.toThrow(
      'Backend `spy` knows no option `temprature`, `wild_thing`. Near: `temperature`. To send it all the same, write `extra_body.temprature`.',
    );
    expect(asked).toEqual([]);
    await ask('go', { backend, reasoning_effort: 'low' });
    expect(asked[0]?.options['parameters']).toEqual({ reasoning_effort: 'low' });
  });

  test('a mistyped option of the harness is no parameter, whatever the backend', async () => {
    const { backend } = spy(() => 'x');
    await expect(ask('go', { backend, maxRound: 3 })).rejects.toThrow('no option `maxRound`. Near: `maxRounds`');
  });

  test('extra_body reaches every backend, from each source', async () => {
    const { folder, root } = withEndpoint('e', 'extra_body:\n  a: 1\n  b: 1');
    const { backend, asked } = spy(() => 'x', { parameters: [] });
    const chat = [line('option', 'extra_body.b 2'), line('option', 'extra_body.deep.er "x"'), 'go'];
    await ask(chat, { backend, context: testContext(folder, { root }), endpoint: 'e', 'extra_body.c': 3 });
    expect(asked[0]?.options['parameters']).toEqual({ extra_body: { a: 1, b: 2, c: 3, deep: { er: 'x' } } });
  });

  test('options of the harness, thresholds and leftovers of a call never reach the provider', async () => {
    const { backend, asked } = spy(() => 'x', { parameters: ['max_tokens'] });
    const context = testContext(freshFolder());
    const chat = [
      line('option', 'max_cost 5'),
      line('option', 'prompt_strategies none'),
      line('option', 'epoch_size 3'),
      line('persist', 'false'),
      line('format', 'json'),
      'go',
    ];
    await ask(chat, {
      ...{
        backend,
        context,
        prices: { input: 1, output: 1 },
        maxRounds: 9,
        maxTokens: 1_000,
        max_tokens: 5,
        promptStrategies: 'shorten_tools',
      },
      ...{
        timeout: 9,
        maxRetries: 0,
        concurrency: 2,
        toolTimeout: 10,
        maxContentLength: 9,
        websearch: false,
        stream: true,
      },
      ...{
        onDelta: () => {},
        onEvent: () => {},
        onProgress: () => {},
        tools: [],
        endpoint: null,
        agent: null,
        previousResponse: true,
      },
    });
    expect(asked[0]?.options['parameters']).toEqual({ max_tokens: 5 });
  });

  test('a wrong value names option, source and what was expected', async () => {
    const { backend } = spy(() => 'x');
    await expect(ask([line('option', 'max_rounds none'), 'go'], { backend })).rejects.toThrow(
      'Option `max_rounds` from the chat: received "none", expected a whole number above 0.',
    );
    await expect(ask('go', { backend, maxCost: -1 })).rejects.toThrow('from the call: received -1');
    await expect(ask('go', { backend: strict([]), websearch: 'perhaps' as never })).rejects.toThrow(
      'expected true or false',
    );
  });

  test('headers are names with texts, prices are numbers, a cost is more than nothing', async () => {
    const { backend, backends, seen } = probe();
    const headers = { 'X-A': 5, 'X-B': true, 'X-C': undefined };
    await ask('go', { backend: 'probe', backends, url: 'http://host', headers: headers as never });
    expect(seen.credentials).toMatchObject({ headers: { 'X-A': '5', 'X-B': 'true' } });
    for (const wrong of ['X-A: 5', ['X-A'], { 'X-A': { b: 1 } }, 5])
      await expect(ask('go', { backend, headers: wrong as never })).rejects.toMatchObject({
        code: 'bad_option',
        message: expect.stringContaining('that is not shown here, expected names with their texts'),
      });
    for (const wrong of ['cheap', {}, { input: 1 }, { input: -1, output: 1 }, { input: 'x', output: 1 }, [1, 2]])
      await expect(ask('go', { backend, maxCost: 1, prices: wrong as never })).rejects.toThrow(
        'expected dollars per million tokens, as in {input: 1.5, output: 6}',
      );
    await expect(ask('go', { backend, prices: { input: 1, output: 1, cache: 1 } as never })).rejects.toThrow(
      /cacheRead/,
    );
    await expect(ask('go', { backend, maxCost: 0 })).rejects.toThrow('received 0, expected a number above 0');
    await expect(ask('go', { backend, maxRounds: 10n as never })).rejects.toMatchObject({ code: 'bad_option' });
  });

  test('a time that is longer than timers run is as long as they run; none is an error', async () => {
    const { backends, seen } = probe();
    for (const timeout of [Number.POSITIVE_INFINITY, 1e12, '2e12', 2 ** 31 - 1.5, 0.5 + 1])
      await ask('go', { backend: 'probe', backends, timeout: timeout as number });
    expect(seen.credentials).toMatchObject({ timeout: 2 });
    const server = await scriptedServer([{ text: 'in time' }], { repeat: true });
    for (const backend of ['openai', 'anthropic', 'ollama'] as const)
      for (const more of [{}, { onDelta: () => {} }]) {
        const timeout = Number.POSITIVE_INFINITY;
        const url = server.urls[backend];
        expect((await ask('go', { backend, model: 'm', url, timeout, ...more })).text).toBe('in time');
      }
    await server.close();
    for (const timeout of [0, -1, Number.NaN, 'soon'])
      await expect(ask('go', { backend: 'probe', backends, timeout: timeout as number })).rejects.toThrow(
        'expected a number of milliseconds, at least 1',
      );
    for (const maxRetries of [1.5, -1, Number.POSITIVE_INFINITY])
      await expect(ask('go', { backend: 'probe', backends, maxRetries })).rejects.toThrow(
        'expected a whole number that is not negative',
      );
  });

  test('a name that objects have is a name like any other, and no name is offered for itself', async () => {
    const backend = strict(['temperature']);
    for (const name of ['__proto__', 'constructor', 'toString', 'saveFile'])
      await expect(ask([line('option', `${name} 3`), 'go'], { backend })).rejects.toMatchObject({
        code: 'unknown_option',
        facts: { names: [name], near: expect.not.arrayContaining([name]) },
      });
    const { backend: direct, asked } = spy(() => 'x');
    await ask([line('option', 'extra_body.__proto__.polluted 3'), 'go'], { backend: direct });
    expect(JSON.stringify(asked[0]?.options['parameters'])).toBe('{"extra_body":{"__proto__":{"polluted":3}}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('thresholds come from options, config lines, context and environment', async () => {
    const seen: unknown[] = [];
    const strategy = (chat: never[], { options, setting }: never) => {
      seen.push([
        (options as Record<string, unknown>)['epoch_size'],
        (setting as (name: string) => unknown)('epoch_size'),
      ]);
      return chat;
    };
    const { backend } = spy(() => 'x');
    const environment = { EPOCH_SIZE: '1' };
    const context = testContext(freshFolder(), { environment });
    await ask('go', { backend, context, promptStrategies: strategy as never, epoch_size: 9 });
    await ask('go', { backend, context: { ...context, setting: () => 2 }, promptStrategies: strategy as never });
    await ask([line('config', 'epoch_size 3 prompt'), 'go'], {
      backend,
      context: { ...context, setting: () => 2 },
      promptStrategies: strategy as never,
    });
    expect(seen).toEqual([
      [9, '1'],
      [undefined, 2],
      [undefined, '3'],
    ]);
  });
});

describe('agents', () => {
  test('the context says with which options an agent is asked; those of the chat stay stronger than those of its start', async () => {
    const { backend, asked } = spy(() => 'fine');
    const context = testContext(freshFolder());
    let request: unknown;
    const agents: AskAgent = async (name, given) => {
      request = [name, given];
      const before = [line('option', 'temperature 1'), line('option', 'top_p 0.5'), line('system', 'You are Ada.')];
      return { ...given.options, before };
    };
    const chat = [line('agent', 'Ada'), line('option', 'temperature 0'), line('skip', 'x'), 'go'];
    expect(await ask(chat, { backend, context: { ...context, agents } })).toMatchObject({ text: 'fine' });
    expect(request).toMatchObject(['Ada', { options: { backend } }]);
    expect(asked).toMatchObject([
      {
        chat: [line('system', 'You are Ada.'), { role: 'user', content: 'go' }],
        options: { parameters: { temperature: 0, top_p: 0.5 } },
      },
    ]);
  });

  test('without such a function it is an error; none and false are no agent', async () => {
    const { backend } = spy(() => 'fine');
    await expect(ask([line('agent', 'e'), 'go'], { backend })).rejects.toMatchObject({ code: 'no_agents' });
    for (const name of ['none', 'false', ''])
      expect((await ask([line('agent', name), 'go'], { backend })).text).toBe('fine');
    await expect(ask('go', { backend, agent: 'fal' })).rejects.toMatchObject({ code: 'no_agents' });
  });
});
