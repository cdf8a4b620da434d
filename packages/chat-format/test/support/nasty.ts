import { roles } from '@colophon/chat-format';
import fc from 'fast-check';

/** How often a law is tried. */
export const runs: number = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;

const cores = [
  '', 'plain', '&', ':', 'user:', 'user: hi', 'assistant:', 'clear:', 'meta: pt=1', 'else:', 'constructor: x', '__proto__: x',
  'a1_:x', 'http://x', 'x:/', 'x:/y', 'User: no', '12:30 lunch', 'exec_task: rm', 'user:\u2028', 'user:  ',
  '```', '````', '`````', '```js', '```a`b', '``', '~~~',
  '[[', '[[x', ']]', 'x]]', '[[x]]', '[[]', '[[[1, 2],', '[3, 4]],', 'user: x]]', '[[user: x', ']] x',
  '<a>', '<a b="c">', '<a\tb>', '</a>', 'x</a>', '<a></a>', '<a/>', '<a b/>', '<a', '<a>x</b>', '<b>', '</b></a>', '<b.c:d-e>',
  '</b.c:d-e>', '<a,b>', '<!-- a -->', '<!--', '<aa>', '</aa>', '< a>', '</a', '<a></a></a>', '<a><a>',
  'sh:-- ls {{{', 'sh:-- ls }}}', 'Sh:-- ls {{{ x', 'sh:--  {{{', 'sh:-- {{{', 's h:-- ls {{{', ':-- "x" {{{{', ':--}}}', ':-- }}}',
  'x :-- }}} :--', '}}} :--', 'user:-- x {{{', ':--\t {{{', ':-- :-- {{{ {{{',
]; // biome-ignore format: a table

const edge = fc.constantFrom('', '', '', '', ' ', '\t', '\r', '\v', '\f', '\0', '\u2028', '\u00a0', '\ufeff', '  ');
const backslashes = fc.constantFrom('', '', '', '', '', '\\', '\\\\', '\\\\\\');
const tail = fc.constantFrom('', '', '', '', '', ' ', '\r', ']]', '`', ' {{{', ' }}}', '</a>', 'x');

/** How long a law may take, in milliseconds. */
export const patience: number = process.env['COLOPHON_FUZZ'] === 'full' ? 3_600_000 : 60_000;

/** Lines that mean something, or nearly do. */
const nastyLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...cores) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(backslashes, edge, fc.constantFrom(...cores), tail, edge)
      .map(([guard, before, core, after, end]) => guard + before + core + after + end),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\n', '')) },
);

const wellFormed = (text: string) => (text as string & { toWellFormed(): string }).toWellFormed();

const lineEnd = fc.constantFrom('\n', '\n', '\n', '\n', '\r\n', '\n\n');

/** A few lines that come again and again, so that openers meet what closes them. */
const theme = fc.oneof(
  fc.array(nastyLine, { minLength: 1, maxLength: 5 }),
  fc.constantFrom(
    ['[[', '[[x', 'y]]', 'user: x]]', '```', '\\&', 'plain'],
    ['```', '````', '```js', '`````', 'user: x', '\\```', ' ``` '],
    ['<a>', '</a>', '<a b="c">', '<b>', '</b></a>', 'user: x', '<a></a>'],
    ['$:-- ls {{{', 'x:-- }}}', 'sh:-- ls {{{', 'user: x', '}}} :-- }}}', '\\$:-- ls {{{'],
    ['\\&', '', ' ', 'x', '\\\\&', '\\\\', 'user:'],
  ),
);

const nastyLines = (maxLength: number): fc.Arbitrary<string[]> =>
  fc.oneof(
    fc.array(nastyLine, { maxLength }),
    fc
      .tuple(theme, fc.array(fc.nat(6), { maxLength: maxLength + 4 }))
      .map(([lines, picks]) => picks.map((pick) => lines[pick % lines.length]!)),
  );

/** Text of such lines, with line ends of one kind or of several. */
export const nastyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .tuple(nastyLines(maxLength), fc.constantFrom('\n', '\n', '\n', '\r\n'))
        .map(([lines, end]) => lines.join(end)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(nastyLines(maxLength), fc.array(lineEnd, { minLength: 1, maxLength: 4 }))
        .map(([lines, ends]) => lines.map((line, index) => line + ends[index % ends.length]!).join('')),
    },
  );

/** Contents that a chat may hold. */
export const nastyContent: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 8, arbitrary: nastyText(9) },
    { weight: 2, arbitrary: nastyLine },
    { weight: 1, arbitrary: fc.constant('') },
  )
  .map(wellFormed);

export const anyRole: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('user', 'assistant', 'system', 'function_call_output', 'meta', 'clear', 'option'),
  },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(roles)) },
  { weight: 1, arbitrary: fc.constantFrom('else', 'constructor', 'x', 'a_1', 'hasownproperty') },
);

export const nastyChat: fc.Arbitrary<{ role: string; content: string }[]> = fc.array(
  fc.record({ role: anyRole, content: nastyContent }, { noNullPrototype: true }),
  { maxLength: 5 },
);
