import { createHash } from 'node:crypto';
import { type Chat, messageIndex, parseMeta, traceSegments } from '@colophon/chat-format';
import { expect, test } from 'vitest';

/** The contract, written down a second time with another implementation of SHA-256. */
const contract = (previous: string | null, role: string, content: string) =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify([previous, role, content]), 'utf8')
    .digest('hex')}`;

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const meta = (content: string) => ({ role: 'meta', content });

test('ids of a known chat are pinned', () => {
  expect(messageIndex([user('Question'), meta('tt=5'), assistant('Añswer 𝒳\n')]).map((entry) => entry.id)).toEqual([
    'sha256:7d09091bc24a03c16d10806ba58010ea0cda122052185de8a2353703929072b1',
    'sha256:b5ee9153e14a9bb07af367d76e1bfefdcde780246dad2e00f0c6d7423b073b82',
    'sha256:fb89341c21b4ce143921c9e233b815ea9eb34f6c0f2eb98031cc0f0217d379f1',
  ]);
});

test('an id stands for the role, the content and the ids before it', () => {
  const chat: Chat = [
    user('Q "1"'),
    meta('tt=5'),
    { ...assistant('\u2028\0\ud800'), at: { line: 3 }, extra: 1 },
    user('Q2'),
  ];
  const [first, record, second, third] = messageIndex(chat, '/w.chat');
  const id0 = contract(null, 'user', 'Q "1"');
  const id2 = contract(id0, 'assistant', '\u2028\0\ud800');
  expect(first).toEqual({ id: id0, previous: null, role: 'user', address: ['/w.chat', 0] });
  expect(record).toEqual({
    id: contract(id0, 'meta', 'tt=5'),
    previous: id0,
    role: 'meta',
    address: ['/w.chat', 1],
    meta: { tt: 5 },
  });
  expect(second).toEqual({ id: id2, previous: id0, role: 'assistant', address: ['/w.chat', 2] });
  expect(third).toMatchObject({ id: contract(id2, 'user', 'Q2'), previous: id2, address: ['/w.chat', 3] });
  expect(messageIndex(chat)[3]).toMatchObject({ id: third?.id, address: 3 });
});

test('content that is not text counts as it is printed', () => {
  const ids = (content: unknown) => messageIndex([{ role: 'user', content: content as string }])[0]?.id;
  expect(ids({ a: [1] })).toBe(ids('{"a":[1]}'));
  expect(ids(null)).toBe(ids(''));
});

test('a segment runs from a meta to the next meta, user or system message', () => {
  const chat: Chat = [
    user('a'),
    meta('tt=2'),
    meta('tt=3'),
    assistant('b'),
    assistant('c'),
    user('d'),
    assistant('e'),
    meta('job=J'),
  ];
  expect(traceSegments([{ chat }])).toMatchObject([
    {
      meta: { tt: 2 },
      orphan: true,
      metaAddress: 1,
      messageAddresses: [],
      deduplication: 'legacy_lineage',
      inferenceId: null,
    },
    { meta: { tt: 3 }, orphan: false, metaAddress: 2, messageAddresses: [3, 4] },
    { meta: { job: 'J' }, orphan: true, metaAddress: 7, messageAddresses: [] },
  ]);
});

test('copies are kept once, by inference id or else by lineage', () => {
  const trace = (chats: Chat[], deduplicate?: boolean) =>
    traceSegments(
      chats.map((chat, index) => ({ chat, source: `/${index}.chat` })),
      deduplicate === undefined ? {} : { deduplicate },
    ).map((segment) => segment.metaAddress);
  const work = (record: string): Chat => [user('Work'), meta(record), assistant('Done')];
  expect(trace([work('tt=5'), work('tt=5')])).toEqual([['/0.chat', 1]]);
  expect(trace([work('tt=5'), work('tt=5')], false)).toHaveLength(2);
  expect(trace([work('tt=5'), [user('Else'), ...work('tt=5').slice(1)]])).toHaveLength(2);
  expect(trace([work('tt=5 inference_id=r'), [meta('inference_id=r tt=5')]])).toEqual([['/0.chat', 1]]);
  expect(trace([work('tt=5 inference_id=r'), work('tt=5 inference_id=q')])).toHaveLength(2);
  expect(trace([work('job=J'), work('tt=5')])).toHaveLength(2);
  expect(trace([work('job=J inference_id=r'), work('tt=5 inference_id=r')])).toHaveLength(2);
  expect(trace([work('tt=1 inference_id=7'), work('tt=1 inference_id="7"')])).toHaveLength(1);
});

test('the reasoning text is left out of a trace', () => {
  const [segment] = traceSegments([{ chat: [meta('tt=5 reas=long thoughts')] }]);
  expect(segment?.meta).toEqual({ tt: 5 });
  expect(parseMeta('tt=5 reas=long thoughts')).toHaveProperty('reas');
});
