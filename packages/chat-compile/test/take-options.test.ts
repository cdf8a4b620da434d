import { compileChat, takeOptions } from '@colophon/chat-compile';
import { chat as annotated, type Chat, parseChat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { contextOn, errorOf, pairsOf } from './support/compile.js';

const optionsOf = async (text: string) => (await takeOptions(parseChat(text))).options;

test('options are taken out, in place nothing is changed', async () => {
  const chat = parseChat('endpoint: harbour\noption: colour red\nuser: a\nmeta: pt=1');
  const copy = structuredClone(chat);
  const taken = await takeOptions(chat);
  expect(taken.options).toEqual({ endpoint: 'harbour', colour: 'red' });
  expect(pairsOf(taken.chat)).toEqual([
    ['user', 'a'],
    ['meta', 'pt=1'],
  ]);
  expect(chat).toEqual(copy);
});

describe('what holds how long', () => {
  test('option, format and persist end with the next answer, the rest sticks', async () => {
    const text =
      'endpoint: e\nmodel: m\nbackend: b\nagent: a\nsticky_option: s 1\nprevious_response_id: r\noption: o 1\nformat: json\npersist: true\nassistant: x';
    expect(await optionsOf(text)).toEqual({
      endpoint: 'e',
      model: 'm',
      backend: 'b',
      agent: 'a',
      s: 1,
      previous_response_id: 'r',
    });
    expect(await optionsOf(`${text}\noption: o 2\nmodel: n`)).toMatchObject({ o: 2, model: 'n' });
  });

  test('an option covers a sticky one while it lasts', async () => {
    const text = 'sticky_option: tone dry\noption: tone warm';
    expect(await optionsOf(text)).toEqual({ tone: 'warm' });
    expect(await optionsOf(`option: tone warm\nsticky_option: tone dry`)).toEqual({ tone: 'warm' });
    expect(await optionsOf(`${text}\nassistant: x`)).toEqual({ tone: 'dry' });
  });

  test('nil and null unset, what is sticky only while they hold', async () => {
    const text = 'sticky_option: tone dry\nmodel: m\noption: tone nil\noption: model null';
    expect(await optionsOf(text)).toEqual({});
    expect(await optionsOf(`${text}\nassistant: x`)).toEqual({ tone: 'dry', model: 'm' });
    expect(
      await optionsOf('sticky_option: tone dry\nsticky_option: tone nil\nendpoint: e\nendpoint: nil\npersist: nil'),
    ).toEqual({});
  });
});

describe('values', () => {
  test.each([
    ['0.3', 0.3],
    ['-2', -2],
    ['true', true],
    ['"0.3"', '0.3'],
    ['"true"', 'true'],
    [`'nil'`, 'nil'],
    ['"a\\nb"', 'a\nb'],
    ['[1, "b"]', [1, 'b']],
    ['{"a": {"b": null}}', { a: { b: null } }],
    ['end of report', 'end of report'],
    ['"a" and "b"', '"a" and "b"'],
    ['[draft', '[draft'],
    ['007', '007'],
    ['1e999', '1e999'],
    ['12345678901234567890', '12345678901234567890'],
    ['a\n  b', 'a\n  b'],
  ])('%s', async (text, value) => {
    expect(await takeOptions([{ role: 'option', content: `x  ${text}` }])).toEqual({ options: { x: value }, chat: [] });
  });

  test('a name alone is true', async () => {
    expect(await optionsOf('option: verbose\nsticky_option: loud\npersist:\n\nuser: a')).toEqual({
      verbose: true,
      loud: true,
      persist: true,
    });
  });

  test('endpoint, model, backend, agent and ids are names: text, or off', async () => {
    const text = 'endpoint: 12\nmodel: "m 1"\nbackend: [x]\nagent: false\nprevious_response_id: 0012';
    expect(await optionsOf(text)).toEqual({
      endpoint: '12',
      model: 'm 1',
      backend: '[x]',
      agent: false,
      previous_response_id: '0012',
    });
    expect(await optionsOf('model:\n\nuser: a')).toEqual({});
  });

  test('what the verbs of a chat write reads back', async () => {
    const values = ['0.3', 'true', 'nil', ' a ', `'x'`, '"', '', 5, true, [1], { a: null }, 'plain text'];
    const chat = annotated();
    for (const [index, value] of values.entries()) chat.option(`o${index}`, value);
    expect(Object.values((await takeOptions(chat)).options)).toEqual(values);
  });

  test('no option is a prototype', async () => {
    const options = await optionsOf('option: __proto__ {"a":1}\noption: constructor x');
    expect(Object.keys(options)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  test.each([
    ['option:\n\nuser: a', /option: expected `name value`, got ""/],
    ['option: temperature=0.3', /Put a space between name and value, not `=`/],
    ['sticky_option: 5 x', /sticky_option: expected/],
  ])('%j is an error', async (text, message) => {
    const error = await errorOf(takeOptions(parseChat(text, { file: '/work/m.chat' })));
    expect(error.code).toBe('invalid_option');
    expect(error.message).toMatch(/^\/work\/m\.chat:1: /);
    expect(error.message).toMatch(message);
  });
});

describe('format', () => {
  const schema = { type: 'object', properties: {} };
  const tree = {
    '/work/lib/schema.json': JSON.stringify(schema),
    '/work/lib/a.chat': 'format: schema.json\nuser: a',
    '/work/bad.json': '{',
    '/work/json': '{}',
  };

  test('reads the file, from where the message was written', async () => {
    const context = contextOn(tree);
    const compiled = await compileChat('import: lib/a.chat', context);
    expect((await takeOptions(compiled, context)).options).toEqual({ format: schema });
    expect((await takeOptions([{ role: 'option', content: 'format lib/schema.json' }], context)).options).toEqual({
      format: schema,
    });
  });

  test('is what it says otherwise', async () => {
    const read = async (content: string) =>
      (await takeOptions([{ role: 'format', content }], contextOn(tree))).options['format'];
    expect(await read('json')).toBe('json');
    expect(await read('{"type":"object"}')).toEqual({ type: 'object' });
    expect(await read('{ok: boolean, note: [string, "short", "-"]}')).toBe(
      '{ok: boolean, note: [string, "short", "-"]}',
    );
    expect(await read('application/x')).toBe('application/x');
    expect(await read('[a/b.json]')).toBe('[a/b.json]');
    // Would take minutes in quadratic time.
    const long = `q${'./'.repeat(200_000)}\nx`;
    expect(await read(long)).toBe(long);
    expect(await read('')).toBeUndefined();
    expect((await takeOptions([{ role: 'format', content: 'schema.json' }])).options['format']).toBe('schema.json');
  });

  test.each([
    ['lost.json', 'not_found', /got "lost\.json"/],
    ['bad.json', 'not_json', /format: expected JSON, got \/work\/bad\.json: /],
  ])('%s is an error', async (content, code, message) => {
    const error = await errorOf(takeOptions([{ role: 'format', content, at: { line: 7 } }] as Chat, contextOn(tree)));
    expect(error).toMatchObject({ code, facts: { at: { line: 7 }, role: 'format' } });
    expect(error.message).toMatch(message);
  });
});
