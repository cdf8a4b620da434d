import { defineConfig } from 'tsup';
import { directImports } from './direct-imports.js';
import { lazyPackages } from './lazy-packages.js';

export default defineConfig({
  entry: { bin: 'src/bin.ts' },
  format: ['esm'],
  target: 'node20',
  dts: false,
  clean: true,
  splitting: true,
  minify: true,
  noExternal: [/^@colophon\//, '@bomb.sh/tab', '@clack/prompts', 'cli-table3', 'picocolors'],
  // CommonJS packages inside the bundle require nothing but what Node itself brings.
  banner: { js: 'const require = process.getBuiltinModule;' },
  esbuildPlugins: [lazyPackages, directImports],
  esbuildOptions(options) {
    options.conditions = ['source'];
  },
});
