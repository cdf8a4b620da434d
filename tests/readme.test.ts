import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CodeBlock, promisedOutput, readCodeBlocks, runExample } from './checks/run-example.js';
import { readPackages, root } from './checks/workspace.js';

const isTypeScript = ({ language }: CodeBlock): boolean => ['ts', 'typescript'].includes(language);

// Examples outside a package may use all of them: the command line depends on every one.
const everything = join(root, 'apps/cli');

const runs = async (code: string, folder: string) => {
  const { status, output, errors } = await runExample(code, folder);
  expect({ output: output.trimEnd().split('\n'), status, errors }).toEqual({
    output: promisedOutput(code),
    status: 0,
    errors: '',
  });
};

describe.each(readPackages().map(({ folder }) => folder))('%s/README.md', (folder) => {
  const path = join(root, folder, 'README.md');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';

  test('is there, with at most 40 lines', () => {
    expect(text).toMatch(/^# \S/);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  if (folder.startsWith('packages/')) {
    test('has one example, which runs and prints what it promises', async () => {
      const examples = readCodeBlocks(text).filter(isTypeScript);
      expect(examples).toHaveLength(1);
      expect(promisedOutput(examples[0]!.code).length).toBeGreaterThan(0);
      await runs(examples[0]!.code, join(root, folder));
    });
  }
});

const documents = [
  'README.md',
  ...(existsSync(join(root, 'docs')) ? readdirSync(join(root, 'docs')) : []).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith('.md') && existsSync(join(root, name)))
  .flatMap((name) =>
    readCodeBlocks(readFileSync(join(root, name), 'utf8')).map((block) => ({
      ...block,
      name: `${name}:${block.line}`,
    })),
  )
  .filter((block) => isTypeScript(block) && block.words.includes('run'));

// The marker is `run` behind the language: ```ts run
describe.skipIf(documents.length === 0)('a marked example runs and prints what it promises:', () => {
  test.each(documents)('$name', async ({ code }) => {
    await runs(code, everything);
  });
});

describe('the runner', () => {
  const folder = join(root, 'packages/tools');

  test('finds blocks with their language, words and lines', () => {
    const text = '# x\n```ts run\na\n```\ntext\n~~~~ sh\n```\n~~~~\n```ts\nnever closed\n';
    expect(readCodeBlocks(text)).toEqual([
      { language: 'ts', words: ['run'], code: 'a', line: 3 },
      { language: 'sh', words: [], code: '```', line: 7 },
    ]);
  });

  test('sees wrong output, an error, and what is not promised', async () => {
    await expect(runs("console.log('a');\n// → b", folder)).rejects.toThrow();
    await expect(runs("console.log('a');\n// → a\nthrow new Error('x');", folder)).rejects.toThrow();
    await expect(runs("console.log('a');\n// → a\nconsole.log('b');", folder)).rejects.toThrow();
    await runs("const text: string = 'a\\n→ b';\nconsole.log(text);\n// → a\n// → → b", folder);
  });
});
