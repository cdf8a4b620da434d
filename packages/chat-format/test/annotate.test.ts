import { annotate, type Chat, ColophonError, chat, unannotate } from '@colophon/chat-format';
import { expect, test } from 'vitest';

const messages = (): Chat => [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'ho', at: { line: 3 } },
];

test('an annotated array is that very array, and plain to everything that looks at it', () => {
  const array = messages();
  const annotated = chat(array);
  expect(annotated).toBe(array);
  expect(Array.isArray(annotated)).toBe(true);
  expect(annotated.constructor).toBe(Array);
  expect(Object.getPrototypeOf(annotated)).toBe(Array.prototype);
  expect(Object.keys(annotated)).toEqual(['0', '1']);
  expect(Object.entries(annotated)).toEqual(Object.entries(messages()));
  expect(JSON.stringify(annotated)).toBe(JSON.stringify(messages()));
  expect(structuredClone(annotated)).toStrictEqual(messages());
  expect([...annotated]).toStrictEqual(messages());
  expect({ ...annotated }).toStrictEqual({ ...messages() });
  expect(annotated).toEqual(messages());
  expect(annotated).toStrictEqual(messages());
  expect(messages()).toStrictEqual(annotated);
  expect(annotated.map(({ role }) => role)).not.toHaveProperty('user');
  expect(annotated.slice()).not.toHaveProperty('user');
  const keys: string[] = [];
  for (const key in annotated) keys.push(key);
  expect(keys).toEqual(['0', '1']);
});

test('unannotating leaves no trace, also of verbs that were added later', () => {
  const array = messages();
  const untouched = Reflect.ownKeys(array);
  const annotated = annotate(chat(array), { ask: () => 'answer', user: () => 'mine' });
  expect(annotated.ask()).toBe('answer');
  expect((annotated as { user: () => unknown }).user()).toBe('mine');
  expect(unannotate(array)).toBe(array);
  expect(Reflect.ownKeys(array)).toEqual(untouched);
  expect(array).toStrictEqual(messages());
  expect(unannotate(messages())).toStrictEqual(messages());
});

test('annotating twice is annotating once, and again after taking it off', () => {
  const array = messages();
  chat(chat(array)).user('x');
  expect(array).toHaveLength(3);
  unannotate(array);
  chat(array).user('y');
  expect(array).toHaveLength(4);
  expect(Reflect.ownKeys(unannotate(array))).toEqual(Reflect.ownKeys([1, 2, 3, 4]));
});

test('an array that takes no properties is an error that says what to do', () => {
  for (const array of [Object.freeze(messages()), Object.seal(messages())]) {
    expect(() => chat(array as Chat)).toThrow(ColophonError);
    expect(() => chat(array as Chat)).toThrow(/copy/);
  }
});
