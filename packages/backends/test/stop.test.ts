import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, type DirectBackend, type WireBackend } from '@colophon/backends';
import { pairToolCalls } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, readChat, spy, testContext } from './helpers.js';

const usage = { pt: 60, ct: 40 };

// Asks for a call each round, for ever.
const endless = (more = {}) => spy((round) => ({ ...calling([`c${round}`, 'look']), usage, ...more }));

describe('limits', () => {
  test('rounds: the last reply is recorded, its calls are answered and not run', async () => {
    const look = counter('look');
    const { backend, asked } = endless();
    const answer = await ask('go', { backend, tools: [look.tool], maxRounds: 3 });
    expect(answer).toMatchObject({ stopReason: 'max_rounds', reason: 'the limit of 3 rounds is reached', text: '' });
    expect([asked.length, look.ran.length]).toEqual([3, 2]);
    expect(lines(answer.messages).at(-1)).toMatch(/^output c2 aborted .*never began, since the limit of 3 rounds/);
  });

  test('the default is 100 rounds', async () => {
    const { backend, asked } = endless();
    const answer = await ask('go', { backend, tools: [counter('look').tool] });
    expect([answer.stopReason, asked.length]).toEqual(['max_rounds', 100]);
  });

  test('tokens', async () => {
    const look = counter('look');
    const { backend, asked } = endless();
    const answer = await ask('go', { backend, tools: [look.tool], maxTokens: 250 });
    expect(answer).toMatchObject({
      stopReason: 'budget',
      reason: '300 tokens are used, the budget is 250',
      tokens: { tt: 300 },
    });
    expect([asked.length, look.ran.length]).toEqual([3, 2]);
    expect(pairToolCalls(answer.messages).every(({ outputAddress }) => outputAddress !== null)).toBe(true);
  });

  test('an answer that spends the budget is an answer', async () => {
    const { backend } = spy(() => ({ messages: [{ role: 'assistant', content: 'done' }], usage }));
    expect(await ask('go', { backend, maxTokens: 10 })).toMatchObject({ stopReason: 'stop', text: 'done' });
  });

  test('a budget that can not be held since a reply tells no tokens stops the run', async () => {
    const { backend } = endless({ usage: {} });
    const answer = await ask('go', { backend, tools: [counter('look').tool], maxTokens: 1_000 });
    expect(answer).toMatchObject({ stopReason: 'budget', reason: expect.stringContaining('did not tell its tokens') });
  });

  test('dollars, with prices given', async () => {
    const { backend, asked } = endless();
    const prices = { input: 1, output: 10 };
    const answer = await ask('go', { backend, tools: [counter('look').tool], maxCost: 0.001, prices });
    expect(answer).toMatchObject({ stopReason: 'budget', reason: '$0.001380 are spent, the budget is $0.001' });
    expect(answer.cost).toBeCloseTo(0.00138, 10);
    expect(asked).toHaveLength(3);
  });

  test.each([1, 0.3, 0.7, 0.8])('dollars that are used up to the last tenth: %f', async (maxCost) => {
    const { backend, asked } = endless({ usage: { pt: 100_000, ct: 0 } });
    const prices = { input: 1, output: 0 };
    const answer = await ask('go', { backend, tools: [counter('look').tool], maxCost, prices });
    expect(answer.stopReason).toBe('budget');
    expect(asked).toHaveLength(Math.round(maxCost * 10));
  });

  test('dollars, with the price list of the provider', async () => {
    const backend: WireBackend = {
      name: 'openai',
      defaultModel: 'gpt-5-nano',
      capabilities: {
        tools: true,
        images: true,
        pdf: true,
        jsonSchema: true,
        streaming: false,
        cacheBreakpoints: false,
      },
      toRequest: (chat) => chat,
      send: async () => ({}),
      fromReply: () => ({
        messages: [{ role: 'assistant', content: 'x' }],
        calls: [],
        usage: { pt: 1_000_000, ct: 0 },
        model: 'gpt-5-nano-2025-08-07',
      }),
    };
    const context = testContext(freshFolder());
    expect((await ask('go', { backend, context, maxCost: 1 })).cost).toBeCloseTo(0.05, 6);
    const elsewhere = { backend, context, url: 'http://localhost:1/v1' };
    expect(await ask('go', elsewhere)).not.toHaveProperty('cost');
    await expect(ask('go', { ...elsewhere, maxCost: 1 })).rejects.toMatchObject({ code: 'unknown_price' });
  });

  test('dollars without a known price are told before anything is sent', async () => {
    const folder = freshFolder();
    const { backend, asked } = endless();
    const failure = ask({ file: './a.chat', question: 'go' }, { backend, maxCost: 1, context: testContext(folder) });
    await expect(failure).rejects.toThrow("No price is known for the model `spy` of `spy`, so maxCost can't be held.");
    expect(asked).toEqual([]);
  });

  test('an unknown price is no zero', async () => {
    expect(await ask('go', { backend: spy(() => 'x').backend })).not.toHaveProperty('cost');
  });

  test('limits of a chat count, and are options of the harness', async () => {
    const { backend, asked } = endless();
    const chat = [
      { role: 'option', content: 'max_rounds 2' },
      { role: 'option', content: 'max_tokens 7' },
      { role: 'user', content: 'go' },
    ];
    const answer = await ask(chat, { backend, tools: [counter('look').tool] });
    expect(answer.stopReason).toBe('max_rounds');
    expect(asked[0]?.options['parameters']).toEqual({ max_tokens: 7 });
    const budget = [
      { role: 'option', content: 'budget_tokens 90' },
      { role: 'user', content: 'go' },
    ];
    expect(await ask(budget, { backend, tools: [counter('look').tool] })).toMatchObject({ stopReason: 'budget' });
  });
});

describe('aborts', () => {
  test('before the first request: nothing is sent', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const { backend, asked } = spy(() => 'never');
    const answer = await ask(
      { file, question: 'go' },
      { backend, context: testContext(folder), signal: AbortSignal.abort(new Error('no time')) },
    );
    expect(answer).toMatchObject({ stopReason: 'aborted', reason: 'no time', text: '' });
    expect(asked).toEqual([]);
  });

  test('during a request: nothing of the reply is recorded, also when the backend ignores the signal', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const stop = new AbortController();
    const { backend } = spy(async () => {
      stop.abort(new Error('enough'));
      return new Promise<string>(() => {});
    });
    const answer = await ask({ file, question: 'go' }, { backend, context: testContext(folder), signal: stop.signal });
    expect(answer).toMatchObject({ stopReason: 'aborted', reason: 'enough' });
    expect(lines(readChat(file))).toEqual(['user go']);
  });

  test('a reply that can not be written is told, also while the run is aborted', async () => {
    const folder = freshFolder();
    const stop = new AbortController();
    const { backend } = spy(() => calling(['c1', 'look']));
    const look = counter('look', {
      run: () => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, 'no folder any more');
        stop.abort(new Error('enough'));
        return 'seen';
      },
    });
    const options = { backend, tools: [look.tool], context: testContext(folder), signal: stop.signal };
    await expect(ask({ file: join(folder, 'a.chat'), question: 'go' }, options)).rejects.toMatchObject({
      name: 'ColophonError',
      facts: { unrecorded: [{ role: 'function_call_output' }] },
    });
  });

  test('during tools: each recorded call has an output', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const stop = new AbortController();
    const quick = counter('quick');
    const slow = counter('slow', {
      run: () => {
        stop.abort(new Error('enough'));
        return new Promise(() => {});
      },
    });
    const { backend } = spy(() => calling(['c1', 'quick'], ['c2', 'slow']));
    const answer = await ask(
      { file, question: 'go' },
      { backend, tools: [quick.tool, slow.tool], context: testContext(folder), signal: stop.signal },
    );
    expect(answer).toMatchObject({ stopReason: 'aborted', reason: 'enough' });
    const outputs = lines(readChat(file)).filter((line) => line.startsWith('output'));
    expect(outputs).toHaveLength(2);
    expect(outputs.find((line) => line.startsWith('output c2'))).toContain('aborted');
  });

  test('at any moment: the file is valid, each call is answered once, and a new run finishes it', async () => {
    for (let delay = 0; delay < 60; delay += 3) {
      const folder = freshFolder();
      const file = join(folder, 'a.chat');
      const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
      const tools = [counter('look', { run: () => pause().then(() => 'seen') }).tool];
      const { backend } = spy(async (_round, chat) => {
        await pause();
        const done = chat.filter(({ role }) => role === 'function_call_output').length;
        return done < 6 ? calling([`a${done}`, 'look'], [`b${done}`, 'look']) : 'The end.';
      });
      const context = testContext(folder);
      const stop = new AbortController();
      setTimeout(() => stop.abort(), delay);
      const stopped = await ask({ file, question: 'go' }, { backend, tools, context, signal: stop.signal });
      expect(['aborted', 'stop']).toContain(stopped.stopReason);
      if (!existsSync(file)) continue;
      const pairs = pairToolCalls(readChat(file));
      expect(pairs.every(({ outputAddress }) => outputAddress !== null)).toBe(true);
      if (stopped.stopReason === 'stop') continue;
      const finished = await ask({ file, question: 'go' }, { backend, tools, context });
      expect(finished.text).toBe('The end.');
      const ids = pairToolCalls(readChat(file)).map(({ callId }) => callId);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('a note in the inbox ends the run and says why', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const look = counter('look', {
      run: () => {
        mkdirSync(join(folder, 'a.inbox'));
        writeFileSync(join(folder, 'a.inbox', 'abort'), 'wrong question\n');
        return 'seen';
      },
    });
    const { backend, asked } = endless();
    const answer = await ask({ file, question: 'go' }, { backend, tools: [look.tool], context: testContext(folder) });
    expect(answer).toMatchObject({ stopReason: 'aborted', reason: 'wrong question' });
    expect(asked).toHaveLength(1);
    expect(lines(readChat(file))).toEqual(['user go', 'call c0 look {}', 'output c0 ok seen']);
  });
});

test('notes of the inbox are in the prompt, named in the meta, and not in the chat', async () => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  mkdirSync(join(folder, 'a.inbox'));
  writeFileSync(join(folder, 'a.inbox', 'hint.md'), 'look north');
  const { backend, asked } = spy(() => 'done');
  const answer = await ask({ file, question: 'go' }, { backend, context: testContext(folder) });
  expect(asked[0]?.chat.map(({ content }) => content)).toEqual(['go', 'look north']);
  expect(answer.messages[0]?.content).toMatch(/inbox="?hint\.md:\w+/);
  expect(lines(readChat(file))).toEqual(['user go', 'assistant done']);
});

test('fifty runs that share one signal are no reason for a warning, and one abort stops them all', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  const shared = new AbortController();
  const backend: DirectBackend = {
    name: 'slow',
    reply: (_chat, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };
  const runs = Array.from({ length: 50 }, () => ask('go', { backend, signal: shared.signal }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  shared.abort(new Error('enough'));
  const answers = await Promise.all(runs);
  process.off('warning', onWarning);
  expect(answers.every(({ stopReason, reason }) => stopReason === 'aborted' && reason === 'enough')).toBe(true);
  expect(warnings).toEqual([]);
});
