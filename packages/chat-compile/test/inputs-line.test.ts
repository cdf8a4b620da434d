import { type InputsLine, parseInputsLine, printInputsLine } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';

const inputsOf = (text: string) => parseInputsLine(`Kitchen bake ${text}`).inputs;

/** Both ways: the text reads as the line, and the line prints as the text. */
const same = (text: string, line: InputsLine) => {
  expect(parseInputsLine(text)).toEqual(line);
  expect(printInputsLine(line)).toBe(text);
};

test('a workflow, a task, a name for the job and typed inputs', () => {
  same('Kitchen bake', { workflow: 'Kitchen', task: 'bake', inputs: {} });
  same('Kitchen bake jobname=sunday temp=220 fan=true note="two words" list=[1,2] o={"a":"b c"} none=null', {
    workflow: 'Kitchen',
    task: 'bake',
    name: 'sunday',
    inputs: { temp: 220, fan: true, note: 'two words', list: [1, 2], o: { a: 'b c' }, none: null },
  });
});

describe('quotes protect', () => {
  test.each([
    ['commas and digits', 'a="1,2" b="5"', { a: '1,2', b: '5' }],
    ['quotes, line ends and backslashes', String.raw`a="he said \"x\"\n\\"`, { a: 'he said "x"\n\\' }],
    ['words that would be something else', 'a="true" b="nil" c="" d=":sym"', { a: 'true', b: 'nil', c: '', d: ':sym' }],
    ['line ends as they are', 'a="two\nlines"', { a: 'two\nlines' }],
    ['a backslash that means nothing', String.raw`a="C:\dir"`, { a: String.raw`C:\dir` }],
    ['single quotes, as they are', String.raw`a='two "words" \n'`, { a: String.raw`two "words" \n` }],
    ['keys', '"a b"=1 "jobname"=2', { 'a b': 1, jobname: 2 }],
  ])('%s', (_, text, inputs) => expect(inputsOf(text)).toEqual(inputs));
});

describe('what was written by hand, and by older versions', () => {
  test.each([
    ['numbers', 'a=1 b=-1 c=0.5 d=.5 e=1e3 f=007', { a: 1, b: -1, c: 0.5, d: 0.5, e: 1000, f: '007' }],
    ['digits that a number would lose', 'a=12345678901234567890', { a: '12345678901234567890' }],
    ['booleans and nothing', 'a=true b=false c=nil d=null e=', { a: true, b: false, c: null, d: null, e: '' }],
    [
      'a list without quotes',
      'a=x,y b=1,2 c="two words",z d=x,',
      { a: ['x', 'y'], b: ['1', '2'], c: ['two words', 'z'], d: ['x'] },
    ],
    ['symbols and patterns', 'k=:sym l=/ab/', { k: 'sym', l: '/ab/' }],
    ['an equals sign in a value', 'p=x=y', { p: 'x=y' }],
    ['a quote inside a word', `a=O'Brien b=5"`, { a: "O'Brien", b: '5"' }],
    ['brackets with spaces', 'a=[1, 2] b={"k": [true]}', { a: [1, 2], b: { k: [true] } }],
    ['brackets that are no JSON', 'a=[draft] b={x}y', { a: '[draft]', b: '{x}y' }],
    ['white space of all kinds', 'a=1\n\tb=2', { a: 1, b: 2 }],
  ])('%s', (_, text, inputs) => expect(inputsOf(text)).toEqual(inputs));

  test('a job name is text, whatever it looks like', () => {
    expect(parseInputsLine('A b jobname=12').name).toBe('12');
    expect(parseInputsLine('A b jobname=a,b').name).toBe('a,b');
    expect(parseInputsLine('A b jobname=nil')).not.toHaveProperty('name');
  });

  test('the verbs of a chat write lines that read back', () => {
    expect(inputsOf('a="x, \\"y\\"" b=[1] c={"d":null} e=2')).toEqual({ a: 'x, "y"', b: [1], c: { d: null }, e: 2 });
  });
});

describe('errors name what does not fit', () => {
  const subject = { role: 'task', at: { file: '/work/main.chat', line: 3 } };
  test.each([
    [
      'Kitchen bake hot a=1',
      /\/work\/main\.chat:3: task: expected `Workflow task key=value …`, got the bare word "hot"/,
    ],
    ['Kitchen bake a = 1', /the bare word "a"/],
    ['Kitchen bake =1', /the bare word "=1"/],
    ['Kitchen bake "a b" c=1', /the bare word "\\"a"/],
    ['Kitchen', /"" as the task/],
    ['Kitchen a=1', /"a=1" as the task/],
    ['', /"" as the workflow/],
    ['Kitchen bake a="b', /a `"` that is never closed/],
    ['Kitchen bake a="b"c', /"c" right behind the quotes of a/],
    ['Kitchen bake a=[1, 2', /`\[` in a that is never closed/],
    ['Kitchen bake a=1 a=2', /a twice/],
    ['Kitchen bake jobname=x jobname=y', /jobname twice/],
  ])('%s', (text, message) => {
    expect(() => parseInputsLine(text, subject)).toThrow(message);
    expect(() => parseInputsLine(text, subject)).toThrow(expect.objectContaining({ code: 'invalid_inputs' }));
  });

  test.each([
    ['a number that JSON has not', Number.NaN],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['nothing inside an object', { b: undefined }],
    ['a big integer', 1n],
  ])('%s can not be printed', (_, a) => {
    expect(() => printInputsLine({ workflow: 'A', task: 'b', inputs: { a } })).toThrow(
      expect.objectContaining({ code: 'unprintable' }),
    );
  });

  test('a value nested deeper than the stack can be read, not printed', () => {
    const line = parseInputsLine(`W t a=${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(() => printInputsLine(line)).toThrow(expect.objectContaining({ code: 'unprintable' }));
  });

  test('a value that contains itself can not be printed', () => {
    const a: unknown[] = [];
    a.push(a);
    expect(() => printInputsLine({ workflow: 'A', task: 'b', inputs: { a } })).toThrow(/as a/);
  });
});

test('inputs that are undefined are left out', () => {
  expect(printInputsLine({ workflow: 'A', task: 'b', inputs: { a: undefined, b: 1 } })).toBe('A b b=1');
});
