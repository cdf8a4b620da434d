import { join } from 'node:path';
import { type AskEvent, ask, askStream, replay } from '@colophon/backends';
import { pairToolCalls } from '@colophon/chat-format';
import { expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, readChat, spy, testContext } from './helpers.js';

const script = [{ text: 'Let me see.', ...calling(['c1', 'look']) }, 'All is well, as far as one can see.'];

test('gives the events of a run, at last the answer', async () => {
  const events: AskEvent[] = [];
  const others: AskEvent[] = [];
  const options = {
    backend: replay({ replies: script }),
    tools: [counter('look').tool],
    onEvent: (event: AskEvent) => others.push(event),
  };
  for await (const event of askStream('go', options)) events.push(event);
  expect(events).toEqual(others);
  const text = events.flatMap((event) => (event.kind === 'text-delta' ? [event.text] : [])).join('');
  expect(text).toBe('Let me see.All is well, as far as one can see.');
  const kinds = events.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1]);
  expect(kinds).toEqual([
    'round-start',
    'text-delta',
    'meta',
    'tool-call',
    'tool-result',
    'round-start',
    'text-delta',
    'meta',
    'end',
  ]);
  expect(events.at(-1)).toMatchObject({
    kind: 'end',
    answer: { text: 'All is well, as far as one can see.', stopReason: 'stop' },
  });
});

test('an error is thrown where the next event is waited for', async () => {
  const { backend } = spy(() => {
    throw new Error('no luck');
  });
  const seen: string[] = [];
  await expect(async () => {
    for await (const { kind } of askStream('go', { backend })) seen.push(kind);
  }).rejects.toMatchObject({ code: 'request_failed' });
  expect(seen).toEqual(['round-start']);
});

test('an abort from outside ends it with an answer', async () => {
  const stop = new AbortController();
  const events: AskEvent[] = [];
  for await (const event of askStream('go', {
    backend: replay({ replies: script, delay: 2, chunk: 3 }),
    signal: stop.signal,
  })) {
    events.push(event);
    if (event.kind === 'text-delta') stop.abort(new Error('enough'));
  }
  expect(events.at(-1)).toMatchObject({ kind: 'end', answer: { stopReason: 'aborted', reason: 'enough' } });
});

test('leaving early, at each event, aborts the run, leaves a valid chat, and frees the file', async () => {
  const replies = [
    ...Array.from({ length: 3 }, (_, n) => ({ text: `Step ${n}`, ...calling([`a${n}`, 'look'], [`b${n}`, 'look']) })),
    'The end.',
  ];
  for (let leaveAt = 1; leaveAt < 30; leaveAt++) {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const options = {
      backend: replay({ replies }),
      tools: [counter('look', { idempotent: true }).tool],
      context: testContext(folder),
    };
    let count = 0;
    for await (const _ of askStream({ file, question: 'go' }, options)) if (++count === leaveAt) break;
    const pairs = pairToolCalls(readChat(file));
    expect(pairs.every(({ outputAddress }) => outputAddress !== null)).toBe(true);
    const answer = await ask({ file }, options);
    expect(answer.text).toBe('The end.');
    expect(new Set(lines(readChat(file))).size).toBe(lines(readChat(file)).length);
  }
});

test('a listener that throws keeps no event from who iterates', async () => {
  const seen: string[] = [];
  const onEvent = () => {
    throw new Error('mine');
  };
  for await (const { kind } of askStream('go', { backend: replay({ replies: ['x'] }), onEvent })) seen.push(kind);
  expect(seen).toEqual(['round-start', 'text-delta', 'meta', 'end']);
});
