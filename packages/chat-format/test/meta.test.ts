import { ColophonError, type Meta, parseMeta, printMeta } from '@colophon/chat-format';
import { expect, test } from 'vitest';

/** The text prints from the fields and reads back as them. */
const same = (text: string, meta: Meta) => {
  expect(printMeta(meta)).toBe(text);
  expect(parseMeta(text)).toEqual(meta);
};

/** The text reads as the fields, but would be printed in another way. */
const reads = (text: string, meta: Meta) => {
  expect(parseMeta(text)).toEqual(meta);
  expect(parseMeta(printMeta(meta))).toEqual(meta);
};

test('numbers stand first and texts by length, the longest last', () => {
  same('pt=5 inference_id=q7 reas=weighed three possible routes', {
    reas: 'weighed three possible routes',
    inference_id: 'q7',
    pt: 5,
  });
});

test('a value is quoted where it would not be read back as it is', () => {
  same('a="b=c"', { a: 'b=c' });
  same('a="say \\"go\\""', { a: 'say "go"' });
  same('a="x=1\\\\2"', { a: 'x=1\\2' });
  same('a="one\\ntwo\\rthree"', { a: 'one\ntwo\rthree' });
  same('a=" x"', { a: ' x' });
  same('a="x\t"', { a: 'x\t' });
  same('a=""', { a: '' });
  same('a="12"', { a: '12' });
  same('a="0x1f"', { a: '0x1f' });
  same('a="1e3"', { a: '1e3' });
  same('a="\u2028"', { a: '\u2028' });
});

test('a value with spaces, a backslash or odd letters stands as it is', () => {
  same('a=two words', { a: 'two words' });
  same('a=C:\\new \\', { a: 'C:\\new \\' });
  same("a=it's 数据 \u2028 [x]", { a: "it's 数据 \u2028 [x]" });
});

test('numbers are read where their own text comes back', () => {
  reads('a=-3 b=0.75 c=1e-7 d=9007199254740991', { a: -3, b: 0.75, c: 1e-7, d: 9_007_199_254_740_991 });
  reads('a=007 b=1.0 c=+1 d=1e21 e=1e+21 f=9007199254740993 g=NaN h=Infinity i=-0 j=0x10', {
    a: '007',
    b: '1.0',
    c: '+1',
    d: '1e21',
    e: '1e+21',
    f: '9007199254740993',
    g: 'NaN',
    h: 'Infinity',
    i: '-0',
    j: '0x10',
  });
  reads('a=true b=nil', { a: 'true', b: 'nil' });
});

test('what the original wrote is read as it meant it', () => {
  reads('note=two words here job=Atlas/survey/one.chat', { note: 'two words here', job: 'Atlas/survey/one.chat' });
  reads('pt=100 reas="sum total=48M prompt=47M end. fine." ct=2', {
    pt: 100,
    reas: 'sum total=48M prompt=47M end. fine.',
    ct: 2,
  });
  reads('reas="he said "go" and went a = b" ct=3', { reas: 'he said "go" and went a = b', ct: 3 });
  reads('reas="never closed ct=3', { reas: '"never closed', ct: 3 });
  reads('reas="go" he said', { reas: '"go" he said' });
  reads('a=f(x)=3 b=http://x?q=1', { a: 'f(x)=3', b: 'http://x?q=1' });
  reads('  a =1 b=', { b: '' });
  reads('words before a=1\n\tb=2\r\n', { a: 1, b: 2 });
  reads('a=1 a=2', { a: 2 });
  reads('nothing here', {});
  reads('', {});
});

test('no key reaches a prototype', () => {
  const meta = parseMeta('__proto__=1 constructor=x toString=y');
  expect(Object.entries(meta)).toEqual([
    ['__proto__', 1],
    ['constructor', 'x'],
    ['toString', 'y'],
  ]);
  expect(Object.getPrototypeOf(meta)).toBe(Object.prototype);
  expect(printMeta(meta)).toBe('__proto__=1 constructor=x toString=y');
});

test('what could not be read back is an error that names it', () => {
  const error = (meta: Meta): unknown => {
    try {
      return printMeta(meta);
    } catch (thrown) {
      return thrown instanceof ColophonError ? [thrown.code, thrown.message] : thrown;
    }
  };
  for (const key of ['', 'two words', 'a-b', 'a=b', 'naïve', 'a\n']) {
    expect(error({ [key]: 1 })).toEqual(['meta_key', expect.stringContaining(JSON.stringify(key))]);
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e21, 2 ** 53, true, null, { a: 1 }]) {
    expect(error({ cost: value } as Meta)).toEqual(['meta_value', expect.stringContaining('cost')]);
  }
  expect(printMeta({ a: -0, b: undefined } as unknown as Meta)).toBe('a=0');
});

test('hostile lines take linear time', () => {
  for (const part of ['a="x ', '"', ' a=', '=', 'a', ' ', '\\', '" ', 'a= "', '="']) {
    const text = `k=${part.repeat(300_000 / part.length)}`;
    expect(Object.keys(parseMeta(text)).length).toBeGreaterThan(0);
    expect(parseMeta(printMeta({ k: text }))).toEqual({ k: text });
  }
});
