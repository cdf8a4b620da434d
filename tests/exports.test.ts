import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readExports } from './checks/read-exports.js';
import { readPackages, root } from './checks/workspace.js';

const pinFile = join(root, 'tests/exports.json');

const entries = readPackages().flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
    typeof target === 'object' && target['colophon-source']
      ? [{ name: manifest.name, subpath, path: join(root, folder, target['colophon-source']) }]
      : [],
  ),
);

const short = (place: string): string => relative(root, place);

describe.each(entries)('$name $subpath', ({ path }) => {
  const { names, problems } = readExports(path);

  test('names what it exports, one by one', () => {
    expect(problems.map(short)).toEqual([]);
  });

  test('has a line of JSDoc on each', () => {
    expect(names.filter(({ documented }) => !documented).map(({ name, at }) => `${short(at)}: ${name}`)).toEqual([]);
  });
});

test('public names are those of exports.json (rewrite it with UPDATE=1 where a change is meant)', () => {
  const names: Record<string, Record<string, string[]>> = {};
  for (const { name, subpath, path } of entries) {
    const listed = readExports(path).names.map((entry) => `${entry.type ? 'type ' : ''}${entry.name}`);
    names[name] = { ...names[name], [subpath]: [...new Set(listed)].sort() };
  }
  if (process.env['UPDATE']) writeFileSync(pinFile, `${JSON.stringify(names, null, 2)}\n`);
  expect(names).toEqual(JSON.parse(readFileSync(pinFile, 'utf8')));
});

describe('the reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write(
    'deep.ts',
    '/** Deep. */\nexport const deep = 1;\nexport const bare = 2;\n/** */\nexport type Empty = string;\n',
  );
  write('middle.ts', "export { deep, bare as renamed } from './deep.js';\nexport type { Empty } from './deep.js';\n");

  test('follows names to their declarations and sees which are documented', () => {
    const { names, problems } = readExports(
      write(
        'index.ts',
        "import { deep } from './middle.js';\nexport { deep };\nexport { renamed, type Empty } from './middle.js';\nexport { z } from 'zod';\n/** Own. */\nexport function own() {}\nexport class Other {}\n",
      ),
    );
    expect(problems).toEqual([]);
    expect(names.map(({ name, type, documented, at }) => [name, type, documented, relative(folder, at)])).toEqual([
      ['deep', false, true, 'deep.ts:2'],
      ['renamed', false, false, 'deep.ts:3'],
      ['Empty', true, false, 'deep.ts:5'],
      ['z', false, true, 'index.ts:4'],
      ['own', false, true, 'index.ts:6'],
      ['Other', false, false, 'index.ts:7'],
    ]);
  });

  test.each(["export * from './deep.js';", "export * as all from './deep.js';", 'export default 1;'])(
    'refuses %s',
    (text) => {
      expect(readExports(write('bad.ts', text)).problems).toEqual([
        expect.stringMatching(/bad\.ts:1: .*name what is public/),
      ]);
    },
  );
});
