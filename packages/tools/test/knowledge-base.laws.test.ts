import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Tool, type ToolContext, takeTools } from '@colophon/tools';
import { createKnowledgeBases, openKnowledgeBase } from '@colophon/tools/knowledge-base';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 20_000 : 600;
const fewRuns = Math.ceil(runs / 10);
const timeout = 100 * runs;
const folder = mkdtempSync(join(tmpdir(), 'kb-laws-'));
afterAll(() => rmSync(folder, { recursive: true }));

const context: ToolContext = { signal: new AbortController().signal, callId: 'c', onProgress: () => {} };
const call = (tools: readonly Tool[], name: string, parameters: Record<string, unknown>) =>
  tools.find((tool) => tool.name === name)!.run(parameters, context) as Promise<unknown>;

const fragments = [
  'a',
  'b',
  'A',
  '~',
  '|',
  "'",
  '"',
  ';',
  '--',
  '%',
  '_',
  '\\',
  '#',
  ' ',
  'é',
  'e\u0301',
  '😀',
  '\uffff',
  '\ufffd',
  '1',
  '1.0',
  'NULL',
  '\u2028',
  '?1',
  "' or 1=1 --",
  '"; drop table association; --',
  '*',
  ',',
  'a\rb',
  '=',
  '__proto__',
];
const entity = fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
// Few different entities, so that rows meet.
const entities = fc.uniqueArray(entity, { minLength: 2, maxLength: 6 });
const value = fc.oneof(fc.constant(''), entity);
const table = entities.chain((some) =>
  fc.record({
    some: fc.constant(some),
    rows: fc.array(fc.tuple(fc.constantFrom(...some), fc.constantFrom(...some), value, value), { maxLength: 12 }),
    undirected: fc.boolean(),
    asked: fc.array(fc.oneof(fc.constantFrom(...some), entity, fc.constantFrom('a\0', '\ud800')), { maxLength: 5 }),
  }),
);
type Row = [string, string, string, string];

const print = (rows: readonly Row[]) =>
  `#Source\tTarget\tKind\tNote\n${rows.map((row) => `${row.join('\t')}\n`).join('')}`;
const bytes = (text: string) => Buffer.from(text);
const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort((a, b) => Buffer.compare(bytes(a), bytes(b)));

/** What a query must give, by going through all rows. */
const pairsOf = (rows: readonly Row[], asked: readonly string[], { undirected = false, reverse = false }) =>
  [...new Set(asked)].flatMap((one) => {
    const targets = rows.filter(([source]) => source === one).map(([, target]) => target);
    const sources = rows.filter(([, target]) => target === one).map(([source]) => source);
    if (undirected) return sorted([...targets, ...sources]).map((other) => `${one}~${other}`);
    return reverse
      ? sorted(sources).map((source) => `${source}~${one}`)
      : sorted(targets).map((target) => `${one}~${target}`);
  });

/** What the details must give. Rows count in the order of where the pair is parted, then in that of the file. */
const detailsOf = (rows: readonly Row[], pairs: readonly string[], undirected: boolean) =>
  Object.fromEntries(
    [...new Set(pairs)].flatMap((pair) => {
      const parted = [...pair.matchAll(/~/g)].map(({ index }) => index);
      const matching = parted.flatMap((at) => {
        const [source, target] = [pair.slice(0, at), pair.slice(at + 1)];
        return rows.filter(
          (row) => (row[0] === source && row[1] === target) || (undirected && row[0] === target && row[1] === source),
        );
      });
      const different = [
        ...new Map(matching.map(([, , kind, note]) => [JSON.stringify([kind, note]), { kind, note }])).values(),
      ];
      const joined = {
        Kind: different.map(({ kind }) => kind).join(';'),
        Note: different.map(({ note }) => note).join(';'),
      };
      return matching.length > 0 ? [[pair, joined]] : [];
    }),
  );

let file = 0;
/** A table as a database of a chat. */
const associate = async (name: string, text: string, options: Record<string, string>) => {
  const kbs = createKnowledgeBases({ resolvePath: (path) => join(folder, path) });
  file += 1;
  const path = `${file}.tsv`;
  writeFileSync(join(folder, path), text);
  const tools = await kbs.association({ name, path, options }, { role: 'association', content: '' });
  return {
    tools,
    close: () => {
      kbs.close();
      rmSync(join(folder, path));
    },
  };
};

describe('a database answers as one that goes through all rows would:', () => {
  test(
    'queries, their reverse, and details of all that they give',
    () =>
      fc.assert(
        fc.asyncProperty(table, async ({ rows, undirected, asked }) => {
          const { tools, close } = await associate('db', print(rows), { type: 'list', undirected: String(undirected) });
          const forward = (await call(tools, 'db', { entities: asked })) as string[];
          const backward = (await call(tools, 'db', { entities: asked, reverse: true })) as string[];
          expect(forward).toEqual(pairsOf(rows, asked, { undirected }));
          expect(backward).toEqual(pairsOf(rows, asked, { undirected, reverse: true }));
          const given = [...forward, ...backward, ...asked];
          const details = (await call(tools, 'db_association_details', { associations: given })) as Record<string, Row>;
          expect(details).toEqual(detailsOf(rows, given, undirected));
          for (const pair of [...forward, ...backward]) expect(Object.hasOwn(details, pair)).toBe(true);
          const notes = await call(tools, 'db_association_details', { associations: given, fields: ['Note', 'Kind'] });
          const expected = Object.entries(detailsOf(rows, given, undirected)).map(([pair, all]) => [
            pair,
            [all.Note, all.Kind],
          ]);
          expect(notes).toEqual(Object.fromEntries(expected));
          close();
        }),
        { numRuns: runs },
      ),
    timeout,
  );

  test(
    'names of columns and of the database are names, whatever they say',
    () =>
      fc.assert(
        fc.asyncProperty(entity, fc.uniqueArray(entity, { minLength: 3, maxLength: 5 }), async (name, names) => {
          const columns = names.map((column, index) => `${index}${column.trim()}`);
          fc.pre(new Set(columns).size === columns.length);
          const cells = columns.map((_, index) => `v${index}`);
          const { tools, close } = await associate(name, `#${columns.join('\t')}\n${cells.join('\t')}\n`, {
            source: columns[1]!,
          });
          expect(tools).toHaveLength(2);
          for (const tool of tools) expect(tool.name).toMatch(/^[\w-]{1,128}$/);
          expect(await tools[0]!.run({ entities: ['v1'] }, context)).toEqual(['v1~v0']);
          expect(await tools[1]!.run({ associations: ['v1~v0'], fields: [columns[2]] }, context)).toEqual({
            'v1~v0': ['v2'],
          });
          close();
        }),
        { numRuns: fewRuns },
      ),
    timeout,
  );
});

test(
  'cells of several values are the rows that they stand for',
  () => {
    const plain = entity.filter((text) => !text.includes('|') && !text.includes(';'));
    const wide = fc.record({
      source: fc.oneof(plain, fc.constant('x|y')),
      targets: fc.array(fc.tuple(plain, fc.oneof(fc.constant(''), plain)), { minLength: 1, maxLength: 4 }),
      note: plain,
    });
    return fc.assert(
      fc.asyncProperty(fc.array(wide, { maxLength: 5 }), async (wides) => {
        const join = (cells: string[]) => cells.join('|');
        const double = wides.map(
          ({ source, targets, note }): Row => [
            source,
            join(targets.map(([t]) => t)),
            join(targets.map(([, k]) => k)),
            note,
          ],
        );
        const long = wides.flatMap(({ source, targets, note }) => targets.map(([t, k]): Row => [source, t, k, note]));
        const asked = wides.map(({ source }) => source);
        const answers = [];
        for (const [text, type] of [
          [print(double), 'double'],
          [print(long), 'list'],
        ] as const) {
          const { tools, close } = await associate('db', text, { type });
          const pairs = (await call(tools, 'db', { entities: asked })) as string[];
          answers.push([pairs, await call(tools, 'db_association_details', { associations: pairs })]);
          close();
        }
        expect(answers[0]).toEqual(answers[1]);

        const flat = `#Source\tTarget\n${wides.map(({ source, targets }) => [source, ...targets.map(([t]) => t)].join('\t')).join('\n')}\n`;
        const { tools, close } = await associate('db', flat, { type: 'flat' });
        expect(tools.map(({ name }) => name)).toEqual(['db']);
        expect(await call(tools, 'db', { entities: asked })).toEqual(answers[0]![0]);
        close();
      }),
      { numRuns: fewRuns },
    );
  },
  timeout,
);

test(
  'line ends, a byte order mark and empty lines change nothing, nor does the order of the rows; what the file says now counts',
  () =>
    fc.assert(
      fc.asyncProperty(table, async ({ rows, some, undirected }) => {
        const place = mkdtempSync(join(folder, 'kb-'));
        const path = join(place, 'db.tsv');
        writeFileSync(join(place, 'db.json'), JSON.stringify({ type: 'list', undirected }));
        const answer = async (written?: string) => {
          if (written !== undefined) writeFileSync(path, written);
          const { tools, databases, close } = await openKnowledgeBase(place);
          const pairs = (await call(tools, 'db', { entities: some })) as string[];
          const details = await call(tools, 'db_association_details', { associations: pairs });
          close();
          return { pairs, details, source: databases[0]!.source };
        };
        const text = print(rows);
        const first = await answer(text);
        const blank = text.replaceAll('\n', '\n\n').replace(/\n+$/, '');
        for (const written of [undefined, `\ufeff${text.replaceAll('\n', '\r\n')}`, blank])
          expect(await answer(written)).toEqual(first);
        expect(first.source).toBe('Source');
        expect((await answer(print(rows.toReversed()))).pairs).toEqual(first.pairs);
        const fewer = rows.slice(1);
        expect((await answer(print(fewer))).pairs).toEqual(pairsOf(fewer, some, { undirected }));
        rmSync(place, { recursive: true });
      }),
      { numRuns: Math.ceil(fewRuns / 2) },
    ),
  timeout,
);

test(
  'databases of one folder have tools that a registry takes, whatever their names',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          entity.map((name) => name.replaceAll('\0', '')),
          { minLength: 1, maxLength: 5 },
        ),
        async (names) => {
          const place = mkdtempSync(join(folder, 'names-'));
          const kept = names.filter((name) => !/^\.|[/\r]/.test(name));
          for (const name of [...kept, 'x', 'x_association_details'])
            writeFileSync(join(place, `${name}.tsv`), 'A\tB\tC\na\tb\tc\n');
          const kbs = createKnowledgeBases({ resolvePath: (path) => path });
          const chat = [{ role: 'kb', content: place }];
          const { tools } = await takeTools(chat, kbs);
          expect(tools).toHaveLength(2 * new Set([...kept, 'x', 'x_association_details']).size);
          kbs.close();
          rmSync(place, { recursive: true });
        },
      ),
      { numRuns: Math.ceil(fewRuns / 2) },
    ),
  timeout,
);
