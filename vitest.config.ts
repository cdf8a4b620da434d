import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// These packages ship an export condition `source` too, which leads to their TypeScript: Vite reads that, Node would not.
const inline = [/@modelcontextprotocol\/sdk/, /\/eventsource(-parser)?\//];

// Their maps name sources that they do not ship.
const withoutMaps = {
  name: 'without-maps',
  load: (id: string) =>
    inline.some((path) => path.test(id))
      ? readFileSync(id, 'utf8').replace(/\/\/# sourceMappingURL=\S*\s*$/, '')
      : undefined,
};

const source = {
  plugins: [withoutMaps],
  resolve: { conditions: ['source', 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
};

const server = { deps: { inline } };

export default defineConfig({
  test: {
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'coverage/results.json' }]] : ['default'],
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          server,
          include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      { ...source, test: { name: 'repository', server, include: ['tests/*.test.ts'], testTimeout: 120_000 } },
      {
        ...source,
        test: {
          name: 'faults',
          server,
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 1_800_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
