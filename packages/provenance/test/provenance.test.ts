import {
  buildGraph,
  cost,
  nodeId,
  type Reader,
  type TokenScope,
  tokenEvents,
  tokenTotals,
  traverse,
} from '@colophon/provenance';
import { describe, expect, test } from 'vitest';
import { type Files, memoryReader } from './memory-reader.js';
import { receiptText } from './sessions.js';

const root = '/s/root.chat';
const eventsOf = async (files: Files) => tokenEvents(await buildGraph(root, { reader: memoryReader(files) })).events;

/** A reader that may not be asked anything. */
const untouched = new Proxy({} as Reader, {
  get: (_, name) => {
    throw new Error(`asked for ${String(name)}`);
  },
});

describe('bad input', () => {
  test('a typo in what is followed is an error before any work', async () => {
    await expect(traverse(root, { reader: untouched, follow: ['job', 'jobs'] }).next()).rejects.toMatchObject({
      code: 'unknown_relation',
      message: expect.stringContaining('`jobs`'),
    });
  });

  test('a root that is not there, or is a folder, and a scope that is none', async () => {
    const reader = memoryReader({ [root]: 'user: hi' });
    await expect(buildGraph('/s/other.chat', { reader })).rejects.toMatchObject({ code: 'root_missing' });
    await expect(buildGraph('/s', { reader })).rejects.toMatchObject({ code: 'root_not_file' });
    expect(() => tokenTotals([], 'bogus' as TokenScope)).toThrow(expect.objectContaining({ code: 'unknown_scope' }));
  });

  test('strict mode throws what would be a warning', async () => {
    const bad = memoryReader({ [root]: receiptText('k', [7]) });
    await expect(buildGraph(root, { reader: bad, strict: true })).rejects.toMatchObject({
      code: 'not_a_hash',
      facts: { warning: { callId: 'k', evidenceAddress: [root, 1, 'meta', 0] } },
    });
    const graph = await buildGraph(root, {
      reader: memoryReader({ [root]: 'meta: pt=x inference_id=a\nassistant: b' }),
    });
    expect(tokenEvents(graph).warnings).toMatchObject([{ code: 'invalid_token_count', address: [root, 0] }]);
    expect(() => tokenEvents(graph, { strict: true })).toThrow(
      expect.objectContaining({ code: 'invalid_token_count' }),
    );
  });
});

test('a stopped traversal ends where it is', async () => {
  const files = { [root]: 'meta: job=/s/j\nassistant: x', '/s/j': 'r', '/s/j.files/agent.chat': 'user: x' };
  const controller = new AbortController();
  const seen: string[] = [];
  const walk = async () => {
    for await (const { node } of traverse(root, { reader: memoryReader(files), signal: controller.signal })) {
      seen.push(node.id);
      controller.abort();
    }
  };
  await expect(walk()).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen).toEqual([nodeId('chat', root)]);
});

describe('work grows with the session', () => {
  const callsOf = async (files: Files): Promise<number> => {
    const reader = memoryReader(files);
    const graph = await buildGraph(root, { reader });
    tokenEvents(graph);
    return Object.values(reader.calls).reduce((sum, count) => sum + count, 0);
  };

  /** Jobs that start each other, each with a log; the last depends on all. */
  const chain = (length: number): Files => {
    const path = (number: number) => `/s/var/jobs/Tide/ask/j${number}`;
    const files: Files = { [root]: `meta: job=${path(0)}\nassistant: x` };
    for (let number = 0; number < length; number++) {
      files[`${path(number)}.info`] = JSON.stringify({ dependencies: number % 2 ? [path(number - 1)] : [] });
      files[`${path(number)}.files/agent.chat`] =
        `${receiptText('k', [{ job: path(number + 1) }])}\n\nmeta: pt=1 inference_id=i${number}\n\nassistant: x`;
    }
    return files;
  };

  test('four times the jobs are at most four times the questions', async () => {
    const [small, large] = [await callsOf(chain(100)), await callsOf(chain(400))];
    expect(large / small).toBeLessThan(4.1);
  });

  test('10,000 receipts that name one job are 10,000 edges, and one question', async () => {
    const receipts = (count: number) => ({
      [root]: receiptText(
        'k',
        Array.from({ length: count }, () => ({ job: '/s/j' })),
      ),
      '/s/j': 'result',
    });
    const reader = memoryReader(receipts(10_000));
    const graph = await buildGraph(root, { reader });
    expect(graph.edges).toHaveLength(10_000);
    expect(graph.nodes).toHaveLength(2);
    expect(reader.calls['findJob']).toBe(1);
    expect(await callsOf(receipts(10_000))).toBe(await callsOf(receipts(1)));
  });

  test('a long circle of dependencies is one warning', async () => {
    const path = (number: number) => `/s/var/jobs/Tide/ask/j${number}`;
    const files: Files = { [root]: `meta: job=${path(0)}\nassistant: x` };
    for (let number = 0; number < 3000; number++)
      files[`${path(number)}.info`] = JSON.stringify({ dependencies: [path((number + 1) % 3000)] });
    const { warnings } = await buildGraph(root, { reader: memoryReader(files) });
    expect(warnings.map(({ code, path: at }) => [code, at])).toEqual([['dependency_loop', path(0)]]);
  });
});

describe('cost', () => {
  const prices = { 'm-1': { input: 2, output: 10, cacheRead: 0.5 } };

  test('counts each inference once, in money per million tokens', async () => {
    const meta = 'meta: pt=1000000 ct=100000 tt=1100000 cct=400000 inference_id=a model=m-1';
    const events = await eventsOf({
      [root]: `${meta}\nassistant: x`,
      '/s/root.chat.files/agent.chat': `${meta}\nassistant: y`,
    });
    expect(await cost(events, prices)).toEqual({
      paid: 0.6 * 2 + 0.4 * 0.5 + 1,
      cached: 0,
      events: 1,
      cachedAnswers: 0,
      unknown: [],
    });
  });

  test('tells what has no price apart from what costs nothing', async () => {
    const events = await eventsOf({
      [root]: [
        'meta: pt=1 ct=1 tt=2 inference_id=a model=m-2',
        'meta: pt=1 ct=1 tt=2 inference_id=b',
        'meta: tt=2 inference_id=c model=m-1',
        'meta: pt=0 ct=0 tt=0 inference_id=d model=m-1',
        'assistant: x',
      ].join('\n'),
    });
    expect(await cost(events, prices)).toMatchObject({
      paid: 0,
      events: 1,
      unknown: [
        { model: 'm-1', events: 1 },
        { model: 'm-2', events: 1 },
        { model: null, events: 1 },
      ],
    });
    const priced = await cost(events, async ({ model }) => (model === 'm-2' ? 3 : undefined));
    expect(priced).toMatchObject({ paid: 3, events: 1 });
  });

  test('an answer from a cache is not paid again; what it would have cost is told', async () => {
    const meta = (id: string, time: string, cached: boolean) =>
      `meta: pt=1000000 ct=0 tt=1000000 inference_id=${id} model=m-1 timestamp=${time}${cached ? ' cached=true' : ''}\nassistant: x\n`;
    const again = meta('a', 't2', true);
    const events = await eventsOf({
      [root]: `${meta('a', 't1', false)}${again}${meta('a', 't3', true)}${meta('elsewhere', 't4', true)}`,
      '/s/root.chat.files/agent.chat': again,
    });
    expect(events).toHaveLength(2);
    expect(await cost(events, prices)).toMatchObject({ paid: 2, events: 1, cached: 6, cachedAnswers: 3 });
  });
});
