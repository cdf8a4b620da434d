import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ColophonError, findWorkflow, listWorkflows } from '@colophon/workflow';
import { afterAll, describe, expect, test } from 'vitest';

const cases = fileURLToPath(new URL('../../../fixtures/workflows/', import.meta.url));

// Copies stand outside of the repository, so that nothing of it is installed beside them.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'workflows-')));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const tell = async (name: string, root: string) => {
  try {
    const workflow = await findWorkflow(name, { roots: [root] });
    if (workflow === undefined) return 'not found';
    const tasks = Object.entries(workflow.tasks).map(([task, { description = '' }]) => [task, description]);
    const { title, description, file } = workflow;
    return {
      name: workflow.name,
      title,
      description,
      tasks: Object.fromEntries(tasks),
      file: file?.replace(root, '<root>'),
    };
  } catch (error) {
    const { code, message, facts } = error as ColophonError;
    return {
      code,
      message: message.replaceAll(root, '<root>').split('\n'),
      at: { ...facts.at, file: facts.at?.file?.replace(root, '<root>') },
    };
  }
};

describe('a root with workflows, and what loading each of them gives:', () => {
  test.each(readdirSync(cases))('%s', async (name) => {
    const root = join(place, name);
    cpSync(join(cases, name), root, { recursive: true });
    const before = readdirSync(root, { recursive: true });
    const names = new Set(['Kitchen', ...(await listWorkflows({ roots: [root] })).map((listed) => listed.name)]);
    const told: [string, unknown][] = [];
    for (const listed of names) told.push([listed, await tell(listed, root)]);
    expect(readdirSync(root, { recursive: true })).toEqual(before);
    const actual: unknown = JSON.parse(JSON.stringify(Object.fromEntries(told)));
    const expected = join(cases, name, 'expected.json');
    if (process.env['UPDATE'] === '1') writeFileSync(expected, `${JSON.stringify(actual, null, 2)}\n`);
    if (!existsSync(expected)) throw new Error(`${expected} is missing. Write it with UPDATE=1, and read it.`);
    expect(actual).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });
});
