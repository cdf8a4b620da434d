import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  findWorkflow,
  type LoadedWorkflows,
  listWorkflows,
  loadWorkflow,
  locateWorkflow,
  runCommand,
  unknownWorkflowError,
} from '@colophon/workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'discovery-')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const write = (path: string, text: string): string => {
  const file = join(place, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const definition = (name: string, title = 'plain'): string =>
  `export default { name: '${name}', title: '${title}', tasks: {} };\n`;
const root = (name: string): string => join(place, name);

describe('a name', () => {
  test('is looked for in each root in order, workflows before Agent', async () => {
    write('b/workflows/Kitchen/workflow.ts', definition('Kitchen', 'second'));
    write('a/Agent/Kitchen/workflow.ts', definition('Kitchen', 'agent'));
    const roots = [root('none'), root('a'), root('b')];
    expect((await findWorkflow('Kitchen', { roots }))?.title).toBe('agent');
    write('a/workflows/Kitchen/workflow.ts', definition('Kitchen', 'first'));
    expect((await findWorkflow('Kitchen', { roots }))?.title).toBe('first');
  });

  test('stands for folders in snake_case and CamelCase where none has it as it is', async () => {
    write('a/workflows/kitchen_sink/workflow.ts', definition('KitchenSink', 'snake'));
    expect((await findWorkflow('KitchenSink', { roots: [root('a')] }))?.title).toBe('snake');
    expect((await findWorkflow('kitchenSink', { roots: [root('a')] }))?.title).toBe('snake');
    write('b/workflows/KitchenSink/workflow.ts', definition('KitchenSink', 'exact'));
    expect((await findWorkflow('KitchenSink', { roots: [root('a'), root('b')] }))?.title).toBe('exact');
    write('c/workflows/HTTPServer2/workflow.ts', definition('HTTPServer2', 'camel'));
    expect((await findWorkflow('http_server2', { roots: [root('c')] }))?.title).toBeUndefined();
    write('d/workflows/BreadOven/workflow.ts', definition('BreadOven', 'camel'));
    expect((await findWorkflow('bread_oven', { roots: [root('d')] }))?.title).toBe('camel');
  });

  test('that is not there is answered with places and with what may have been meant', async () => {
    write('a/workflows/Kitchen/workflow.ts', definition('Kitchen'));
    write('a/workflows/Kitchn/notes.txt', 'no workflow');
    const located = await locateWorkflow('Kitchne', { roots: [root('a'), root('b')] });
    expect(located).toEqual({
      places: ['a', 'b'].flatMap((name) =>
        ['workflows', 'Agent', 'node_modules'].map((part) => join(root(name), part, 'Kitchne')),
      ),
      near: 'Kitchen',
    });
    const error = unknownWorkflowError('Kitchne', located);
    expect(error.code).toBe('unknown_workflow');
    expect(error.message).toContain('Did you mean "Kitchen"?');
    expect(error.message).toContain(join(root('b'), 'Agent', 'Kitchne'));
    expect(unknownWorkflowError('Kitchne', { places: [] }).message).toContain('workflows/Kitchne/workflow.ts');
    expect(unknownWorkflowError('../x', await locateWorkflow('../x', { roots: [place] })).message).toMatch(
      /A name has/,
    );
    expect((await locateWorkflow('KITCHEN', { roots: [root('a')] })).near).toBe('Kitchen');
    expect((await locateWorkflow('Telescope', { roots: [root('a')] })).near).toBeUndefined();
    expect(await findWorkflow('Kitchne', { roots: [root('a')] })).toBeUndefined();
  });

  test.each([
    '../Kitchen',
    '..',
    '.',
    '',
    'a/../Kitchen',
    'Kitchen/',
    '/',
    'Kit\0chen',
    'Kitchen/workflow.ts',
    '~',
    'workflows\\Kitchen',
    '-',
    'K\nitchen',
  ])('%j leads nowhere', async (name) => {
    write('a/workflows/Kitchen/workflow.ts', definition('Kitchen'));
    write('a/workflow.ts', definition('a'));
    write('workflow.ts', definition('outside'));
    for (const folder of ['a/workflows', 'a/workflows/Kitchen', 'a'])
      expect(await findWorkflow(name, { roots: [join(place, folder)] })).toBeUndefined();
    expect(await findWorkflow(join(root('a'), 'workflows/Kitchen'), { roots: [root('a')] })).toBeUndefined();
  });

  test('may be a link to a folder elsewhere', async () => {
    write('elsewhere/workflow.ts', definition('Kitchen', 'linked'));
    mkdirSync(join(root('a'), 'workflows'), { recursive: true });
    symlinkSync(root('elsewhere'), join(root('a'), 'workflows/Kitchen'));
    expect((await findWorkflow('Kitchen', { roots: [root('a')] }))?.title).toBe('linked');
  });
});

describe('a package', () => {
  const install = (name: string, code: string, facts: object = {}) => {
    write(`a/node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', ...facts }));
    write(`a/node_modules/${name}/main.js`, code);
  };

  test('is found from a root and from below it, by default export or `workflow`', async () => {
    install('kitchen', definition('Kitchen', 'module'), { type: 'module', exports: { import: './main.js' } });
    install('@bakery/oven', `exports.workflow = { name: 'Oven', tasks: {} };`, { main: 'main.js' });
    write('a/node_modules/kitchen/README.md', '# Of the package\n\nWords.\n');
    mkdirSync(join(root('a'), 'below'));
    const kitchen = await findWorkflow('kitchen', { roots: [join(root('a'), 'below')] });
    expect(kitchen).toMatchObject({ name: 'Kitchen', title: 'module', description: 'Words.' });
    expect(kitchen?.file).toBe(join(root('a'), 'node_modules/kitchen/main.js'));
    expect((await findWorkflow('@bakery/oven', { roots: [root('a')] }))?.name).toBe('Oven');
  });

  test('uses our packages where it has none of its own, and comes after folders', async () => {
    install('kitchen', `import { z } from 'zod';\n${definition('Kitchen', 'package')}export const kind = typeof z;`, {
      type: 'module',
      main: 'main.js',
    });
    expect((await findWorkflow('kitchen', { roots: [root('a')] }))?.title).toBe('package');
    write('a/Agent/kitchen/workflow.ts', definition('kitchen', 'folder'));
    expect((await findWorkflow('kitchen', { roots: [root('a')] }))?.title).toBe('folder');
  });

  test('that is none of workflows, of Node, or not there', async () => {
    install('yaml', 'module.exports = { parse() {} };', { main: 'main.js' });
    await expect(findWorkflow('yaml', { roots: [root('a')] })).rejects.toMatchObject({ code: 'workflow_export' });
    install('broken', '', { main: 'nowhere.js' });
    await expect(findWorkflow('broken', { roots: [root('a')] })).rejects.toMatchObject({ code: 'workflow_export' });
    for (const name of ['fs', 'os', 'left-pad', '@bakery/..', '@../x'])
      expect(await findWorkflow(name, { roots: [root('a')] })).toBeUndefined();
  });
});

describe('a list of workflows', () => {
  test('tells names, files and titles, and what is shadowed, and runs nothing', async () => {
    const trap = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(place, 'ran'))}, '');\n`;
    const b = write('b/workflows/Kitchen/workflow.ts', trap);
    const a = write('a/workflows/Kitchen/workflow.mjs', trap);
    write('a/workflows/Kitchen/workflow.md', '# The kitchen\n\nBakes.\n');
    const agent = write('a/Agent/Baker/workflow.ts', 'const broken = ;');
    write('a/Agent/Chat/start_chat', 'user: hi');
    write('a/workflows/file', 'no folder');
    const roots = [root('a'), root('b'), root('a')];
    expect(await listWorkflows({ roots })).toEqual([
      { name: 'Baker', file: agent, root: root('a'), shadowed: false },
      { name: 'Kitchen', file: a, root: root('a'), title: 'The kitchen', description: 'Bakes.', shadowed: false },
      { name: 'Kitchen', file: b, root: root('b'), shadowed: true },
    ]);
    expect(await listWorkflows({ roots: [place] })).toEqual([]);
  });
});

describe('a file', () => {
  test('loads by its path, whatever its folder is called', async () => {
    const file = write('some where/kitchen é.ts', definition('Kitchen', 'by path'));
    expect(await loadWorkflow(file)).toEqual({ name: 'Kitchen', title: 'by path', tasks: {}, file });
  });

  test('gets the modules of this process, not what is installed beside it', async () => {
    for (const name of ['zod', '@colophon/workflow'])
      write(`w/node_modules/${name}/package.json`, JSON.stringify({ name, version: '0.0.1', main: './nowhere.js' }));
    const lines = [
      "import { z } from 'zod';",
      "import { z as four } from 'zod/v4';",
      "import { runCommand } from '@colophon/workflow';",
    ];
    const file = write(
      'w/Kitchen/workflow.ts',
      `${lines.join('\n')}\nexport default { name: 'Kitchen', tasks: {}, z, four, runCommand };`,
    );
    const workflow = await loadWorkflow(file);
    expect(Object.entries(workflow)).toEqual(
      expect.arrayContaining([
        ['z', z],
        ['four', z],
        ['runCommand', runCommand],
      ]),
    );
  });

  test.each(['relative.ts', '/nowhere/workflow.ts', '/'])('%s is told as missing', async (path) => {
    await expect(loadWorkflow(path)).rejects.toMatchObject({ code: 'workflow_missing' });
  });

  test('that throws a message without end is told at once', async () => {
    const file = write(
      'w/Kitchen/workflow.ts',
      `throw new Error('\\n    at (/'.repeat(50_000) + 'at (/ '.repeat(200_000));`,
    );
    await expect(loadWorkflow(file)).rejects.toMatchObject({ code: 'workflow_load' });
  });

  test('is run once while it stays as it is, and anew when anything it was made of changes', async () => {
    const count = globalThis as { loads?: number };
    count.loads = 0;
    const lines = ["import { title } from './title';", "import prices from './prices.json';", 'globalThis.loads++;'];
    const file = write(
      'w/Kitchen/workflow.ts',
      `${lines.join('\n')}\nexport default { name: 'Kitchen', title: title + prices.flour, tasks: {} };\n`,
    );
    write('w/Kitchen/title.ts', "export const title = 'one';");
    write('w/Kitchen/prices.json', '{"flour":1}');
    const loaded: LoadedWorkflows = new Map();
    const load = async () => {
      const [first, second] = await Promise.all([loadWorkflow(file, { loaded }), loadWorkflow(file, { loaded })]);
      return [first.title, first.description, second === first, count.loads];
    };
    expect(await load()).toEqual(['one1', undefined, true, 1]);
    expect(await load()).toEqual(['one1', undefined, true, 1]);
    write('w/Kitchen/title.ts', "export const title = 'two';");
    expect(await load()).toEqual(['two1', undefined, true, 2]);
    write('w/Kitchen/prices.json', '{"flour":2}');
    expect(await load()).toEqual(['two2', undefined, true, 3]);
    write('w/Kitchen/workflow.md', '# Title\n\nAbout.\n');
    expect(await load()).toEqual(['two2', 'About.', true, 4]);
    utimesSync(file, 1, 1);
    expect(await load()).toEqual(['two2', 'About.', true, 5]);
    write('w/Kitchen/title.ts', 'const = 1;');
    await expect(load()).rejects.toMatchObject({ code: 'workflow_syntax' });
    await expect(load()).rejects.toMatchObject({ code: 'workflow_syntax' });
    write('w/Kitchen/title.ts', "export const title = 'three';");
    expect((await load())[0]).toBe('three2');
    await loadWorkflow(file);
    expect(count.loads).toBe(7);
  });

  test('leaves compiled sources in a given folder and nowhere else', async () => {
    const { readdirSync } = await import('node:fs');
    const file = write('w/Kitchen/workflow.ts', definition('Kitchen'));
    await loadWorkflow(file, { cacheFolder: join(place, 'cache') });
    expect(readdirSync(join(place, 'cache'))).toHaveLength(1);
    expect(readdirSync(join(place, 'w/Kitchen'))).toEqual(['workflow.ts']);
    write('w/Kitchen/workflow.ts', definition('Kitchen', 'changed'));
    expect((await loadWorkflow(file, { cacheFolder: join(place, 'cache') })).title).toBe('changed');
  });
});
