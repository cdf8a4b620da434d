import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** A fenced code block of a Markdown text; `line` is that of its first line of code. */
export type CodeBlock = { language: string; words: string[]; code: string; line: number };

/** The fenced code blocks of a Markdown text. */
export const readCodeBlocks = (markdown: string): CodeBlock[] => {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; info: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line);
    if (open === undefined) {
      if (fence) open = { fence: fence[1]!, info: fence[2]!, lines: [], line: index + 2 };
    } else if (fence && fence[1]!.startsWith(open.fence) && fence[2] === '') {
      const [language = '', ...words] = open.info.split(/\s+/);
      blocks.push({ language, words, code: open.lines.join('\n'), line: open.line });
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
};

/** The output that an example promises: its `// → …` comments, in order. */
export const promisedOutput = (code: string): string[] =>
  code.split('\n').flatMap((line) => {
    const arrow = line.indexOf('// →');
    return arrow < 0 ? [] : [line.slice(arrow + 4).replace(/^ /, '')];
  });

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/**
 * Runs TypeScript as a module that stands in a package's folder, so that it imports what that package may, from sources. Its
 * environment is empty but for the PATH and an empty home.
 */
export const runExample = async (
  code: string,
  folder: string,
): Promise<{ status: number | null; output: string; errors: string }> => {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
  });
  const home = mkdtempSync(join(tmpdir(), 'example-'));
  const child = spawn(
    process.execPath,
    ['-C', 'colophon-source', '--import', loader, '--input-type=module', '--eval', outputText],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  rmSync(home, { recursive: true, force: true });
  return { status, output, errors };
};
