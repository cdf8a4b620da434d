import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './checks/run.js';
import { promisedOutput, readCodeBlocks, runExample } from './checks/run-example.js';
import { type Manifest, readPackages, root } from './checks/workspace.js';

// What is published is built, packed, and installed by plain npm into an empty project under an empty home.
const place = mkdtempSync(join(tmpdir(), 'packed-'));
const project = join(place, 'project');
const packages = readPackages().map(({ folder, manifest }) => ({ folder, manifest, name: manifest.name }));

const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|COLOPHON_|NODE_OPTIONS$|VITEST)/i.test(name)),
  ),
  HOME: join(place, 'home'),
};

const tarballOf = (name: string): string => {
  const file = readdirSync(join(place, 'tarballs')).find((candidate) =>
    candidate.startsWith(`${name.replace('@', '').replace('/', '-')}-0`),
  );
  if (!file) throw new Error(`${name} was not packed`);
  return join(place, 'tarballs', file);
};

const subpaths = ({ name, exports = {} }: Manifest): string[] =>
  Object.keys(exports)
    .filter((subpath) => subpath !== './package.json')
    .map((subpath) => `${name}${subpath.slice(1)}`);

const imported = packages.flatMap(({ manifest }) => subpaths(manifest));

beforeAll(async () => {
  for (const folder of ['tarballs', 'home', 'project']) mkdirSync(join(place, folder));
  await run(join(root, 'node_modules/.bin/turbo'), ['run', 'build', '--output-logs=errors-only'], { cwd: root });
  for (const { folder } of packages) {
    await run(join(root, 'node_modules/.bin/pnpm'), ['pack', '--pack-destination', join(place, 'tarballs')], {
      cwd: join(root, folder),
    });
  }
  const dependencies = Object.fromEntries(packages.map(({ name }) => [name, `file:${tarballOf(name)}`]));
  const nodeTypes = JSON.parse(readFileSync(join(root, 'node_modules/@types/node/package.json'), 'utf8')).version;
  const manifest = {
    name: 'empty-project',
    private: true,
    type: 'module',
    dependencies,
    devDependencies: { '@types/node': nodeTypes },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest, null, 2));
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: project, env: environment });
}, 600_000);

afterAll(() => rmSync(place, { recursive: true, force: true }), 120_000);

describe.each(packages)('$name', ({ name, manifest }) => {
  test('holds its licence, its README and what it exports', async () => {
    const names = (await run('tar', ['-tzf', tarballOf(name)], { cwd: place })).split('\n');
    expect(names).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/package.json']));
    expect(names.filter((path) => /\/(src|test|node_modules)\//.test(path))).toEqual([]);
    const packed = JSON.parse(await run('tar', ['-xzOf', tarballOf(name), 'package/package.json'], { cwd: place }));
    expect(JSON.stringify(packed)).not.toMatch(/workspace:|catalog:|"colophon-source"/);
    const targets = [...Object.values(packed.exports ?? {}), ...Object.values(packed.bin ?? {})].flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    );
    expect(names).toEqual(expect.arrayContaining(targets.map((target) => target.replace('./', 'package/'))));
  });

  test('has nothing that publint reports', async () => {
    const tarball = readFileSync(tarballOf(name));
    const { messages, pkg } = await publint({ pack: { tarball: Uint8Array.from(tarball).buffer } });
    expect(
      messages
        .filter(({ type }) => type !== 'suggestion')
        .map((message) => formatMessage(message, pkg ?? { ...manifest }, { color: false })),
    ).toEqual([]);
  });
});

describe('in an empty project', () => {
  test.each(imported)('%s can be imported', async (specifier) => {
    const script = `const names = Object.keys(await import('${specifier}')); console.log(names.length);`;
    const count = Number(
      await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: project, env: environment }),
    );
    expect(count).toBeGreaterThan(0);
  });

  test.each(packages.filter(({ folder }) => folder.startsWith('packages/')))(
    'the example of $name runs',
    async ({ folder }) => {
      const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
      const { code } = readCodeBlocks(readme).find(({ language }) => language === 'ts')!;
      const { output, errors, status } = await runExample(code, project);
      expect({ output: output.trimEnd().split('\n'), errors, status }).toEqual({
        output: promisedOutput(code),
        errors: '',
        status: 0,
      });
    },
  );

  test('a workflow in TypeScript loads from a folder where nothing is installed', async () => {
    const folder = join(place, 'elsewhere/workflows/Kitchen');
    mkdirSync(folder, { recursive: true });
    const code = `import { defineWorkflow, task } from '@colophon/workflow';
      import { z } from 'zod';
      const input = z.object({ flour: z.number() });
      const mix = task({ input, type: 'float', run: ({ flour }): number => flour * 1.6 });
      export default defineWorkflow({ name: 'Kitchen', tasks: { mix } });`;
    writeFileSync(join(folder, 'workflow.ts'), code);
    const script = `const { findWorkflow } = await import('@colophon/workflow');
      const { z } = await import('zod');
      const { tasks } = await findWorkflow('Kitchen', { roots: [${JSON.stringify(join(place, 'elsewhere'))}] });
      console.log(tasks.mix.input instanceof z.ZodObject, tasks.mix.run(tasks.mix.input.parse({ flour: 5 })));`;
    const printed = await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: project,
      env: environment,
    });
    expect(printed.trim()).toBe('true 8');
    expect(readdirSync(join(place, 'elsewhere'), { recursive: true })).toHaveLength(3);
  });

  test('their types are found and hold', async () => {
    const lines = imported.map(
      (specifier, index) =>
        `import * as module${index} from '${specifier}';\nexport const names${index}: string[] = Object.keys(module${index});\n`,
    );
    writeFileSync(join(project, 'consumer.ts'), lines.join(''));
    const options = {
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      target: 'ES2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
    const report = await run(process.execPath, [join(root, 'node_modules/ts7/bin/tsc'), '-p', '.'], {
      cwd: project,
      env: environment,
    }).catch((error: Error) => error.message);
    // Other people's types may have errors of their own; ours, and what is imported here, may not.
    const errors = report.split('\n').filter((line) => /error TS\d+/.test(line));
    expect(
      errors.filter((line) => !line.startsWith('node_modules/') || /^node_modules\/@?colophon\//.test(line)),
    ).toEqual([]);
    expect(report === '' || errors.length > 0 ? '' : report).toBe('');
  });

  test('the command line draws pictures, with nothing else installed and no fonts', async () => {
    writeFileSync(join(project, 'x.chat'), 'user: hi\nmeta: pt=1 ct=1 tt=2 inference_id=x1\nassistant: hello\n');
    const words = ['--no-install', 'colophon', 'prov', '--plot', 'a.png', '--timeline', 'a.svg', 'x.chat'];
    await run('npx', words, { cwd: project, env: { ...environment, FONTCONFIG_PATH: join(place, 'nowhere') } });
    expect(readFileSync(join(project, 'a.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(readFileSync(join(project, 'a.svg'), 'utf8')).toContain('Root conversation');
  });

  test('the command line runs workflows, asks tables, and serves and uses MCP', async () => {
    const folder = join(place, 'kitchen');
    const files = {
      'workflows/Kitchen/workflow.ts': `import { defineWorkflow, task } from '@colophon/workflow';
        import { z } from 'zod';
        const mix = task({ input: z.object({ flour: z.number() }), type: 'json', run: async ({ flour }) => [flour] });
        export default defineWorkflow({ name: 'Kitchen', tasks: { mix } });`,
      'etc/AI/r.yaml': 'backend: replay\nscript: script.chat\n',
      'script.chat':
        'user: q\n\nfunction_call: {"name":"mix","arguments":{"flour":3},"id":"c1"}\n\nfunction_call_output: {"id":"c1","content":"[3]"}\n\nassistant: Mixed.\n',
      'parents.tsv': '#Parent\tChild\nAda\tBea\n',
      'x.chat': `association: parents parents.tsv\n\nmcp: stdio ${JSON.stringify(`${join(project, 'node_modules/.bin/colophon')} mcp Kitchen`)}\n\nuser: Mix.\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const colophon = (...words: string[]) =>
      run(join(project, 'node_modules/.bin/colophon'), words, { cwd: folder, env: environment });
    expect(await colophon('workflow', 'run', 'Kitchen', 'mix', '--flour', '5')).toBe('[5]\n');
    expect(await colophon('ask', '-e', 'r', '-c', 'x.chat')).toBe('Mixed.\n');
    expect(readFileSync(join(folder, 'x.chat'), 'utf8')).toContain('"content":"[3]"');
    expect(JSON.parse(await colophon('demo', '--json')).text).toContain('Hill');
    expect(await colophon('doctor')).not.toContain('✗');
  });

  test('npx colophon --help works', async () => {
    expect(await run('npx', ['--no-install', 'colophon', '--help'], { cwd: project, env: environment })).toContain(
      'colophon',
    );
  });
});
