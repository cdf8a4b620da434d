import { type Chat, metaEvidence, receiptEvidence, receiptJobReferences } from '@colophon/chat-format';
import { expect, test } from 'vitest';

const call = (name: string, id: string) => ({
  role: 'function_call',
  content: JSON.stringify({ name, arguments: {}, id }),
});
const output = (fields: object) => ({ role: 'function_call_output', content: JSON.stringify(fields) });

test('each entry is a record with its own address', () => {
  const chat: Chat = [
    call('ask', 'c1'),
    output({ id: 'c1', content: 'x', meta: [{ pt: 1, inference_id: 'a' }, { job: 'S/ask/1' }] }),
    output({ id: 'lost', name: 'other', content: 'x', meta: [{ tt: 2 }] }),
  ];
  const facts = { callId: 'c1', toolName: 'ask', outputAddress: 1, source: null };
  expect(receiptEvidence(chat)).toEqual({
    records: [
      { ...facts, origin: 'agent_meta', meta: { pt: 1, inference_id: 'a' }, index: 0, evidenceAddress: [1, 'meta', 0] },
      { ...facts, origin: 'agent_meta', meta: { job: 'S/ask/1' }, index: 1, evidenceAddress: [1, 'meta', 1] },
      {
        ...{ callId: 'lost', toolName: 'other', outputAddress: 2, source: null },
        ...{ origin: 'agent_meta', meta: { tt: 2 }, index: 0, evidenceAddress: [2, 'meta', 0] },
      },
    ],
    warnings: [],
  });
  expect(receiptJobReferences(chat, '/p.chat').references).toEqual([
    {
      ...{ job: 'S/ask/1', callId: 'c1', toolName: 'ask', source: '/p.chat', index: 1 },
      ...{ outputAddress: ['/p.chat', 1], evidenceAddress: ['/p.chat', 1, 'meta', 1] },
    },
  ]);
});

test('malformed receipts are warnings, and the good entries stay', () => {
  const bad = (meta: unknown) => receiptEvidence([output({ id: 'c', content: 'x', meta })]);
  for (const whole of [null, 'x', 3, { pt: 1 }, false]) {
    expect(bad(whole)).toMatchObject({ records: [], warnings: [{ code: 'not_an_array', address: 0, entry: whole }] });
    expect(bad(whole).warnings[0]).not.toHaveProperty('index');
  }
  expect(bad([{ pt: 5 }, 'nonsense', {}, null, [1], { nested: {} }])).toMatchObject({
    records: [{ meta: { pt: 5 }, index: 0 }],
    warnings: [
      {
        code: 'not_a_hash',
        index: 1,
        entry: 'nonsense',
        address: [0, 'meta', 1],
        message: expect.stringContaining('entry 1'),
      },
      { code: 'empty_meta', index: 2 },
      { code: 'not_a_hash', index: 3 },
      { code: 'not_a_hash', index: 4 },
      { code: 'empty_meta', index: 5 },
    ],
  });
});

test('only the key meta of an output is a receipt', () => {
  const chat: Chat = [
    call('ask', 'c1'),
    output({ id: 'c1', content: '{"meta":[{"tt":3}]}', agent_meta: [{ role: 'meta', content: 'tt=2' }] }),
    { role: 'function_call_output', content: 'cut off, mentions "meta": [{"tt":1}]' },
    { role: 'assistant', content: '{"id":"c1","meta":[{"tt":1}]}' },
  ];
  expect(receiptEvidence(chat)).toEqual({ records: [], warnings: [] });
});

test('foreign field values are made fields of a record or left out', () => {
  const { records } = receiptEvidence([
    output({ id: 'c', meta: [{ tt: 1, orphan: true, x: null, y: [1], z: 'text' }] }),
  ]);
  expect(records[0]?.meta).toEqual({ tt: 1, orphan: 'true', z: 'text' });
});

test("a chat's own metas come first, also empty ones, and the chat is unchanged", () => {
  const chat: Chat = [
    output({ id: 'c', meta: [{ tt: 1 }] }),
    { role: 'meta', content: 'nothing here' },
    { role: 'meta', content: 'tt=2' },
  ];
  const before = structuredClone(chat);
  expect(metaEvidence(chat, '/p.chat').records).toMatchObject([
    { origin: 'chat_meta', meta: {}, metaAddress: ['/p.chat', 1], source: '/p.chat' },
    { origin: 'chat_meta', meta: { tt: 2 }, metaAddress: ['/p.chat', 2] },
    { origin: 'agent_meta', meta: { tt: 1 }, evidenceAddress: ['/p.chat', 0, 'meta', 0] },
  ]);
  expect(chat).toEqual(before);
});
