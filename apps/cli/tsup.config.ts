import { readdirSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { directImports } from './direct-imports.js';
import { lazyPackages } from './lazy-packages.js';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** What converts chat text is small and stands in pipes: it is part of the entry. */
const staysIn = ['chat-print', 'chat-json', 'chat-md'].map((name) => `./commands/${name}.js`);

/**
 * Leaves all other commands out of the entry, which is one CommonJS file so that it starts as fast as Node: the loader of ES modules
 * costs some milliseconds, and each file one more.
 */
const loadedLater: Plugin = {
  name: 'loaded-later',
  setup(build) {
    build.onResolve({ filter: /^\.\/commands\// }, ({ path, kind }) =>
      kind === 'dynamic-import' && !staysIn.includes(path) ? { path, external: true } : undefined,
    );
  },
};

const commands = readdirSync(new URL('src/commands', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));

const common: Options = {
  target: 'node20',
  dts: false,
  minify: true,
  noExternal: [/^@colophon\//, '@bomb.sh/tab', '@clack/prompts', 'cli-table3', 'picocolors'],
  esbuildOptions(options) {
    options.conditions = ['colophon-source'];
  },
};

export default defineConfig([
  {
    ...common,
    entry: { bin: 'src/bin.ts' },
    format: ['cjs'],
    splitting: false,
    shims: true,
    esbuildPlugins: [loadedLater, directImports],
  },
  {
    ...common,
    entry: Object.fromEntries(commands.map((name) => [`commands/${name}`, `src/commands/${name}.ts`])),
    format: ['esm'],
    splitting: true,
    // CommonJS packages inside the bundle require nothing but what Node itself brings.
    banner: { js: 'const require = process.getBuiltinModule;' },
    esbuildPlugins: [lazyPackages, directImports],
  },
]);
