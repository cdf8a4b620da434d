import { type Chat, nextMeta, printMeta, project, takeMeta } from '@colophon/chat-format';
import { expect, test } from 'vitest';

const meta = (content: string) => ({ role: 'meta', content });
const user = { role: 'user', content: 'a' };

test('taking the metas gives the last one, with the running totals of the last that has any', () => {
  const chat: Chat = [user, meta('pt=1 pt_c=1 tt_c=1'), meta('pt=4 pt_c=5 tt_c=9'), user, meta('pt=2 ct=3')];
  expect(takeMeta(chat)).toEqual({ chat: [user, user], meta: { pt: 2, ct: 3, pt_c: 5, tt_c: 9 } });
  expect(takeMeta([...chat, meta('job=A/b')])).toEqual({ chat: [user, user], meta: { job: 'A/b', pt_c: 5, tt_c: 9 } });
  expect(chat).toHaveLength(5);
});

test('a chat without metas has no current one', () => {
  expect(takeMeta([user])).toEqual({ chat: [user], meta: undefined });
  expect(takeMeta([])).toEqual({ chat: [], meta: undefined });
  expect(takeMeta([meta('nothing here')])).toEqual({ chat: [], meta: {} });
});

test('a record holds what was reported, the session totals of that, and all six chat totals', () => {
  const first = nextMeta({ pt: 2, ct: 3, tt: 5 }, undefined, { pt: 900 });
  expect(first).toEqual({
    ...{ pt: 2, ct: 3, tt: 5 },
    ...{ pt_s: 902, ct_s: 3, tt_s: 5 },
    ...{ pt_c: 2, ct_c: 3, tt_c: 5, cct_c: 0, cwt_c: 0, rt_c: 0 },
  });
  expect(nextMeta({ pt: 7, cct: 0 }, first)).toEqual({
    ...{ pt: 7, cct: 0, pt_s: 7, cct_s: 0 },
    ...{ pt_c: 9, ct_c: 3, tt_c: 5, cct_c: 0, cwt_c: 0, rt_c: 0 },
  });
});

test('what is no count never becomes NaN', () => {
  const record = nextMeta({ pt: Number.NaN, ct: -1, tt: 4 }, { tt_c: 'many', pt_c: Number.NaN }, { tt: Number.NaN });
  expect(record).toEqual({ tt: 4, tt_s: 4, pt_c: 0, ct_c: 0, tt_c: 4, cct_c: 0, cwt_c: 0, rt_c: 0 });
});

test('projecting puts one marker in front, keeps the records in place, and drops their reasoning', () => {
  const answer: Chat = [
    meta('tt=2 inference_id=z9 reas=thought long'),
    user,
    meta('job=other'),
    meta('tt=7 note=a  b'),
    user,
  ];
  const projected = project('Atlas/one=1', answer);
  expect(projected).toEqual([
    meta(printMeta({ job: 'Atlas/one=1' })),
    meta('tt=2 inference_id=z9'),
    user,
    meta('job=other'),
    meta('tt=7 note=a  b'),
    user,
  ]);
  expect(project('Atlas/one=1', projected)).toEqual(projected);
  expect(project('outer', projected)).toEqual([meta('job=outer'), ...projected]);
  expect(answer[0]?.content).toContain('thought long');
});
