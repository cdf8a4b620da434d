import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { findWorkflow, listWorkflows, locateWorkflow } from '@colophon/workflow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';

const numRuns = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 1_000;
const place = realpathSync(mkdtempSync(join(tmpdir(), 'names-')));
const root = join(place, 'root');
beforeAll(() => {
  for (const folder of [
    'root/workflows/Kitchen',
    'root/Agent/bread_oven',
    'outside',
    'root/workflows/Kitchen/inner',
    'root/node_modules/pack',
  ])
    mkdirSync(join(place, folder), { recursive: true });
  for (const folder of ['root', 'root/workflows', 'outside', 'root/workflows/Kitchen/inner', '.'])
    writeFileSync(join(place, folder, 'workflow.ts'), 'throw new Error("outside");');
  for (const folder of ['root/workflows/Kitchen', 'root/Agent/bread_oven'])
    writeFileSync(join(place, folder, 'workflow.ts'), 'export default { name: "x", tasks: {} };');
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const parts = [
  '..',
  '.',
  '/',
  '\\',
  'Kitchen',
  'bread_oven',
  'BreadOven',
  'outside',
  'workflows',
  'root',
  'inner',
  'pack',
  '@',
  '\0',
  '~',
  '%2e%2e',
  '%2f',
  '-',
  ' ',
  'file:',
  place,
  '\u2024',
  'K',
];
const names = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a'.repeat(5000), '../'.repeat(300)),
);

describe('a name, whatever it is,', () => {
  test('leads to a listed workflow, an installed package, or nowhere', async () => {
    const files = (await listWorkflows({ roots: [root] })).map(({ file }) => file);
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const { file, package: installed, places } = await locateWorkflow(name, { roots: [root] });
        if (file !== undefined && !files.includes(file)) throw new Error(`leads to ${file}`);
        if (installed !== undefined && (!installed.includes(`${sep}node_modules${sep}`) || !existsSync(installed)))
          throw new Error(`leads to ${installed}`);
        const strange = places.find(
          (path) => !path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`),
        );
        if (strange !== undefined) throw new Error(`looked at ${strange}`);
        if (
          file === undefined &&
          installed === undefined &&
          (await findWorkflow(name, { roots: [root] })) !== undefined
        )
          throw new Error('found what was not located');
      }),
      { numRuns },
    );
  });
});
