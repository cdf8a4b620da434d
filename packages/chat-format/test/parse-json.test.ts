import { ColophonError, parseJson } from '@colophon/chat-format';
import { expect, test } from 'vitest';

test('JSON is read as it stands or out of a json fence', () => {
  expect(parseJson(' {"a": [1, null]}\n')).toEqual({ a: [1, null] });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('Here:\n\n```json\n{"a": "wrote `x`"}\n```\nDone.')).toEqual({ a: 'wrote `x`' });
  expect(parseJson('R\n```json\n{"n": 42}\n```')).toEqual({ n: 42 });
  expect(parseJson('R\r\n  ````JSON \r\n{"n":\r\n"```"}\r\n  ````\r\n')).toEqual({ n: '```' });
  expect(parseJson('```json\n{"cut": true}')).toEqual({ cut: true });
});

test('another fence is passed over, also where it shows a json fence', () => {
  const text = '````md\n```json\n{"shown": 1}\n```\n````\n```json\nnot it\n```\n```json\n[2]\n```';
  expect(parseJson(text)).toEqual([2]);
});

test('neither is an error that shows what stood there', () => {
  expect(() => parseJson('I am sorry')).toThrow(ColophonError);
  expect(() => parseJson('I am sorry')).toThrow(/JSON.*I am sorry/);
  expect(() => parseJson('')).toThrow(/JSON/);
  expect(() => parseJson(`\`\`\`json\n${'x'.repeat(1000)}\n\`\`\``)).toThrow(/…/);
});
