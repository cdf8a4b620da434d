import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWorkflow, type LoadedWorkflows, listWorkflows } from '@colophon/workflow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const numRuns = process.env['COLOPHON_FUZZ'] === 'full' ? 20_000 : 200;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'texts-')));
const folder = join(root, 'workflows/Kitchen');
const taskNames = ['mix', 'bake', 'serve'] as const;
beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  const tasks = taskNames.map((name) => `${name}: { type: 'text', run() {} }`);
  writeFileSync(join(folder, 'workflow.js'), `export default { name: 'Kitchen', tasks: { ${tasks.join(', ')} } };`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const word = fc.constantFrom('flour', 'water', 'oven', '*hot*', '`mix`', '#salt', '- a', '1.', 'é', '|');
const paragraph = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
const prose = paragraph.map((lines) => lines.map((words) => words.join(' ')).join('\n'));
const fenced = prose.map((text) => `~~~\n# Tasks\n${text}\n## mix\n~~~`);
const part = fc.oneof(prose, fenced);
const said = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n\n'));
const title = fc
  .array(fc.constantFrom('The', 'kitchen', 'of', 'é'), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));

const printText = (heading: string, description: string, tasks: Record<string, string>, marks: string, end: string) =>
  [
    heading,
    description,
    `${marks} Tasks`,
    ...Object.entries(tasks).flatMap(([name, text]) => [`${marks === '#' ? '##' : '###'} ${name}`, text]),
  ]
    .join('\n\n')
    .replaceAll('\n', end);

describe('the text beside a workflow', () => {
  test('gives what was written into it', async () => {
    const loaded: LoadedWorkflows = new Map();
    await fc.assert(
      fc.asyncProperty(
        title,
        said,
        fc.record({ mix: said, serve: said }, { requiredKeys: [] }),
        fc.constantFrom('# ', '', '### '),
        fc.constantFrom('#', '##'),
        fc.constantFrom('\n', '\r\n'),
        async (name, description, tasks, mark, marks, end) => {
          writeFileSync(join(folder, 'workflow.md'), printText(mark + name, description, tasks, marks, end));
          const [listed] = await listWorkflows({ roots: [root] });
          expect(listed).toMatchObject({ title: name, description });
          const workflow = await findWorkflow('Kitchen', { roots: [root], loaded });
          const found = Object.entries(workflow!.tasks).flatMap(([task, facts]) =>
            facts.description ? [[task, facts.description]] : [],
          );
          expect(Object.fromEntries(found)).toEqual(tasks);
        },
      ),
      { numRuns },
    );
  });

  test('may be anything', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .array(fc.constantFrom('#', ' ', '\n', '```', 'Tasks', '##', '=', '-', '\r', 'a'))
            .map((parts) => parts.join('')),
        ),
        async (text) => {
          writeFileSync(join(folder, 'workflow.md'), text);
          const [listed] = await listWorkflows({ roots: [root] });
          expect(listed?.title ?? 'x').toMatch(/^\S.*\S$|^\S$/su);
          expect(listed?.description ?? 'x').toBe((listed?.description ?? 'x').trim());
        },
      ),
      { numRuns },
    );
  });
});
