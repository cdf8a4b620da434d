import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { bin: 'src/bin.ts' },
  format: ['esm'],
  target: 'node20',
  dts: false,
  clean: true,
  splitting: true,
  minify: true,
  noExternal: [/^@colophon\//, '@bomb.sh/tab', '@clack/prompts', 'cli-table3', 'commander', 'picocolors'],
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  esbuildOptions(options) {
    options.conditions = ['source'];
  },
});
