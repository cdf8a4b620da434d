import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inputOf, tasks } from '@colophon/analyst-tasks';
import { expect, test } from 'vitest';

const text = readFileSync(fileURLToPath(new URL('../../../docs/provenance.md', import.meta.url)), 'utf8');

test('the document tells every task with its inputs, in the order of the table', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` +\| [^|]+\| ?([^|]*)\|$/gm)].filter(([, name]) =>
    Object.hasOwn(tasks, name!),
  );
  const told = rows.map(([, name, inputs]) => [
    name,
    [...inputs!.matchAll(/`(\w+)`/g)].map(([, input]) => input).sort(),
  ]);
  const known = Object.values(tasks).map((task) => [
    task.name,
    Object.keys(inputOf(task).shape)
      .filter((input) => input !== 'file')
      .sort(),
  ]);
  expect(told.sort()).toEqual(known.sort());
});
