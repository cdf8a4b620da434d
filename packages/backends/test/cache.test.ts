import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AskOptions, ask, type CachePlace, clearCache, listCache } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, metas, readChat, spy, testContext } from './helpers.js';

const setUp = (more: Partial<CachePlace> = {}) => {
  const folder = freshFolder();
  const place = { folder: join(folder, 'cache'), ...more };
  let random = 0;
  const { backend, asked } = spy((_round, chat) => ({
    messages: [{ role: 'assistant', content: `answer to ${chat.at(-1)?.content.slice(0, 40)}` }],
    usage: { pt: 5, ct: 2 },
    id: `resp_${++random}`,
  }));
  const context = testContext(folder, { cache: place });
  const options: AskOptions = { backend, context, persist: true };
  return { folder, place, asked, backend, context, options };
};

test('the same question is paid for once: a replay says so and keeps the identity', async () => {
  const { folder, options, asked } = setUp();
  const first = await ask({ file: './one.chat', question: 'go' }, options);
  const second = await ask({ file: './two.chat', question: 'go' }, options);
  expect(asked).toHaveLength(1);
  expect(second.text).toBe(first.text);
  const [paid] = metas(readChat(join(folder, 'one.chat')));
  const [replayed] = metas(readChat(join(folder, 'two.chat')));
  expect(replayed).toMatchObject({
    cached: 'true',
    inference_id: paid?.['inference_id'] as string,
    pt: 5,
    ct: 2,
    tt: 7,
    tt_c: 0,
  });
  expect(paid).not.toHaveProperty('cached');
  expect([first.tokens, second.tokens]).toEqual([{ pt: 5, ct: 2, tt: 7 }, {}]);
});

test('is off by default, and whatever says no turns it off', async () => {
  const { folder, options, asked, context } = setUp();
  for (const persist of [undefined, false, 'false', 0, 'no', '', null, 'off', 'FALSE'])
    await ask('go', { ...options, persist });
  await ask([{ role: 'persist', content: 'false' }, 'go'], { ...options, persist: undefined });
  await ask('go', { ...options, context: { ...context, cache: undefined as never } });
  expect(asked).toHaveLength(11);
  expect(readdirSync(folder)).not.toContain('cache');
  for (const persist of [true, 'true', 1, 'yes']) await ask('go', { ...options, persist });
  await ask([{ role: 'persist', content: 'true' }, 'go'], { ...options, persist: undefined });
  expect(asked).toHaveLength(12);
});

describe('the key', () => {
  test('knows backend, model, parameters, format, tools and the chat', async () => {
    const { options, asked } = setUp();
    const look = counter('look').tool;
    const variants: AskOptions[] = [
      {},
      { model: 'other' },
      { temperature: 1 },
      { format: 'json' },
      { tools: [look] },
      { tools: [{ ...look, description: 'other' }] },
      { backend: { ...spy(() => 'x').backend, name: 'else' } },
    ];
    for (const variant of variants) await ask('go', { ...options, ...variant });
    await ask('stop', options);
    expect(asked).toHaveLength(7);
    for (const variant of variants) await ask('go', { ...options, ...variant });
    expect(asked).toHaveLength(7);
  });

  test('does not know keys, addresses, files, ids, times, or the order of options', async () => {
    const { folder, options, asked } = setUp();
    const id = (name: string) => [
      { role: 'user', content: 'go' },
      { role: 'function_call', content: JSON.stringify({ name: 'look', arguments: {}, id: name }) },
      {
        role: 'function_call_output',
        content: JSON.stringify({ name: 'look', content: 'x', id: name, timestamp: name, step: name }),
      },
    ];
    await ask(id('a'), { ...options, key: 'sk-one-key', top_p: 1, seed: 2 });
    await ask(id('b'), {
      ...options,
      key: 'sk-other-key',
      url: 'http://localhost:1',
      seed: 2,
      top_p: 1,
      timeout: 9,
      saveFile: join(folder, 'b.chat'),
    });
    expect(asked).toHaveLength(1);
  });

  test('an image counts by its content', async () => {
    const { folder, options, asked } = setUp();
    const image = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return [{ role: 'image', content: join(folder, name) }, 'go'];
    };
    await ask(image('a.png', 'one'), options);
    await ask(image('b.png', 'one'), options);
    expect(asked).toHaveLength(1);
    await ask(image('a.png', 'two'), options);
    expect(asked).toHaveLength(2);
  });
});

test('each inference of a loop is kept; tools run again, since what they do is not in the cache', async () => {
  const { folder, options } = setUp();
  const look = counter('look', { run: () => 'seen' });
  const { backend, asked } = spy((round) => (round === 0 ? calling(['c1', 'look']) : 'done'));
  const answers = [];
  for (const file of ['./a.chat', './b.chat'])
    answers.push(await ask({ file, question: 'go' }, { ...options, backend, tools: [look.tool] }));
  expect(asked).toHaveLength(2);
  expect(lines(readChat(join(folder, 'b.chat')))).toEqual(lines(readChat(join(folder, 'a.chat'))));
  expect(
    answers[1]?.messages.filter(({ role }) => role === 'meta').every(({ content }) => content.includes('cached=true')),
  ).toBe(true);
});

test('failures, refusals and cut replies are not kept', async () => {
  const { options } = setUp();
  for (const stopReason of ['length', 'refusal', 'content_filter', 'other'] as const) {
    const { backend, asked } = spy(() => ({ messages: [{ role: 'assistant', content: 'x' }], stopReason }));
    await ask('go', { ...options, backend: { ...backend, name: stopReason.replace('_', '') } });
    await ask('go', { ...options, backend: { ...backend, name: stopReason.replace('_', '') } });
    expect(asked).toHaveLength(2);
  }
});

test('a cached answer takes no note from the inbox; an answer to a note is not kept', async () => {
  const { folder, options, asked } = setUp();
  await ask({ file: './a.chat', question: 'go' }, options);
  const inbox = join(folder, 'b.inbox');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(inbox);
  writeFileSync(join(inbox, 'hint'), 'north');
  await ask({ file: './b.chat', question: 'go' }, options);
  expect([asked.length, readdirSync(inbox)]).toEqual([1, ['hint']]);
  await ask({ file: './b.chat', question: 'more' }, options);
  expect([asked.length, readdirSync(inbox)]).toEqual([2, []]);
  expect(await listCache(options.context!.cache!)).toHaveLength(1);
});

test('entries are files of the user alone, listed with what they answer, and cleared', async () => {
  const { place, options } = setUp();
  for (const question of ['one', 'two', 'three']) await ask(question, options);
  writeFileSync(join(place.folder, 'other.txt'), 'not ours');
  const names = readdirSync(place.folder).filter((name) => name !== 'other.txt');
  for (const name of names) {
    expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
    expect(statSync(join(place.folder, name)).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(join(place.folder, name), 'utf8')))).toEqual([
      'version',
      'backend',
      'model',
      'inferenceId',
      'timestamp',
      'reply',
    ]);
  }
  const list = await listCache(place);
  expect(list.map(({ text }) => text).sort()).toEqual(['answer to one', 'answer to three', 'answer to two']);
  expect(list[0]).toMatchObject({
    backend: 'spy',
    model: 'spy',
    key: expect.stringMatching(/^[0-9a-f]{64}$/),
    timestamp: expect.stringMatching(/^2031-/),
  });
  utimesSync(join(place.folder, names[0]!), new Date(0), new Date(0));
  expect(await clearCache(place, { before: new Date(1_000_000) })).toMatchObject({ removed: 1 });
  expect(await clearCache(place)).toMatchObject({ removed: 2 });
  expect(readdirSync(place.folder)).toEqual(['other.txt']);
  expect(await listCache({ folder: join(place.folder, 'none') })).toEqual([]);
});

test('limits of age and size hold', async () => {
  const old = setUp({ maxAge: 1 });
  await ask('go', old.options);
  await ask('go', old.options);
  expect(old.asked).toHaveLength(2);

  const small = setUp({ maxBytes: 700 });
  for (let n = 0; n < 8; n++) await ask(`question ${n}`, small.options);
  const sizes = readdirSync(small.place.folder).map((name) => statSync(join(small.place.folder, name)).size);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(700);
});

test('a damaged entry is no entry, and a folder that can not be written costs no answer', async () => {
  const { folder, place, options, asked } = setUp();
  await ask('go', options);
  const [name] = readdirSync(place.folder);
  writeFileSync(join(place.folder, name!), '{"version":1,"reply"');
  expect((await ask('go', options)).text).toBe('answer to go');
  expect(asked).toHaveLength(2);
  writeFileSync(join(folder, 'blocked'), 'a file');
  const context = { ...options.context!, cache: { folder: join(folder, 'blocked') } };
  const answer = await ask('other', { ...options, context });
  expect(answer).toMatchObject({ text: 'answer to other', warnings: [{ code: 'cache_failed' }] });
});

describe('a damaged file is as good as none', () => {
  const damages: Record<string, (entry: Record<string, never>) => unknown> = {
    'no message': (entry) => ({ ...entry, reply: { messages: [1, null], calls: [] } }),
    'no call': (entry) => ({ ...entry, reply: { messages: [], calls: [null] } }),
    'a role that a reply has not': (entry) => ({
      ...entry,
      reply: { messages: [{ role: 'option', content: 'model evil' }], calls: [] },
    }),
    'no reply': (entry) => ({ ...entry, reply: undefined }),
    'no identity': (entry) => ({ ...entry, inferenceId: undefined }),
    'an identity that is no text': (entry) => ({ ...entry, inferenceId: { a: 1 } }),
    'no time': (entry) => ({ ...entry, timestamp: 'soon' }),
    'no JSON object': () => null,
  };
  test.each(Object.entries(damages))('%s', async (_name, damage) => {
    const { place, options, asked } = setUp();
    await ask('other', options);
    await ask('go', options);
    const file = join(place.folder, readdirSync(place.folder).at(-1)!);
    writeFileSync(file, JSON.stringify(damage(JSON.parse(readFileSync(file, 'utf8')))));
    expect((await listCache(place)).every(({ text }) => text.startsWith('answer to'))).toBe(true);
    await ask('go', options);
    await ask('other', options);
    expect(asked).toHaveLength(3);
    await ask('go', options);
    await ask('other', options);
    expect(asked).toHaveLength(3);
  });

  test('whose side-fields alone are damaged still gives its text', async () => {
    const { place, options, asked } = setUp();
    await ask('go', options);
    const file = join(place.folder, readdirSync(place.folder)[0]!);
    const entry = JSON.parse(readFileSync(file, 'utf8'));
    Object.assign(entry.reply, { reasoning: {}, usage: 'x', id: [], stopReason: 'stop' });
    writeFileSync(file, JSON.stringify(entry));
    expect((await ask('go', options)).text).toBe('answer to go');
    expect(asked).toHaveLength(1);
  });
});

test('what a killed process left half written goes with pruning and clearing', async () => {
  const { place, options } = setUp();
  await ask('go', options);
  const left = join(place.folder, `.${'a'.repeat(64)}.some-id.tmp`);
  writeFileSync(left, 'half');
  await ask('other', options);
  expect(readdirSync(place.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  writeFileSync(left, 'half');
  await clearCache(place);
  expect(readdirSync(place.folder)).toEqual([]);
});
