import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resultTypes } from '@colophon/workflow';
import { afterAll, describe, expect, test } from 'vitest';
import { promisedOutput, readCodeBlocks } from '../../../tests/checks/run-example.js';

const text = readFileSync(new URL('../../../docs/workflows.md', import.meta.url), 'utf8');

// A block whose fence names a file is that file, in a project of its own.
const files = readCodeBlocks(text).filter(({ words: [name] }) => name?.endsWith('.ts'));
const project = realpathSync(mkdtempSync(join(tmpdir(), 'kitchen-')));
afterAll(() => rmSync(project, { recursive: true, force: true }));
for (const { words, code } of files) {
  const file = join(project, words[0]!);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${code}\n`);
}
writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
mkdirSync(join(project, 'node_modules/@colophon'), { recursive: true });
symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(project, 'node_modules/@colophon/workflow'));

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

const runProgram = async (name: string) => {
  const child = spawn(process.execPath, ['-C', 'colophon-source', '--import', loader, name], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: project, TMPDIR: project },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => (said.output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (said.errors += chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { ...said, output: said.output.trimEnd().split('\n'), status };
};

const cells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The cells of the rows of the table with this head. */
const table = (...head: string[]): string[][] => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cells(line).join('|') === head.join('|'));
  expect(start).toBeGreaterThan(0);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells);
};

describe('docs/workflows.md', () => {
  const programs = files.map(({ words }) => words[0]!).filter((name) => !name.startsWith('workflows/'));

  test('has a workflow and programs', () => {
    expect(files.map(({ words }) => words[0])).toContain('workflows/Kitchen/workflow.ts');
    expect(programs.length).toBeGreaterThan(0);
  });

  test.each(programs)('%s prints what it promises, also when all is done already', async (name) => {
    const { code } = files.find(({ words }) => words[0] === name)!;
    const expected = { output: promisedOutput(code), errors: '', status: 0 };
    expect(await runProgram(name)).toEqual(expected);
    expect(await runProgram(name)).toEqual(expected);
  });

  test('its jobs are where it says', () => {
    const jobs = join(project, 'var/jobs/Kitchen');
    expect(readdirSync(jobs).sort()).toEqual(['bake', 'mix', 'serve']);
    const [served = ''] = readdirSync(join(jobs, 'serve')).filter((name) => /^Default_[0-9a-f]{32}$/.test(name));
    expect(readFileSync(join(jobs, 'serve', served), 'utf8')).toBe('12 slices of 57 g\n');
    expect(JSON.parse(readFileSync(join(jobs, 'serve', `${served}.info`), 'utf8'))).toMatchObject({ status: 'done' });
    expect(existsSync(join(project, 'node_modules/.cache'))).toBe(false);
  });

  test('lists the result types as they are', () => {
    const rows = table('type', 'value', 'extension', 'in the file').map(([type, , extension]) => [type, extension]);
    const types = Object.entries(resultTypes).map(([name, { extension }]) => [
      `\`${name}\``,
      extension && `\`${extension}\``,
    ]);
    expect(rows.sort()).toEqual(types.sort());
  });
});
