import { defineConfig } from 'vitest/config';

const source = {
  resolve: { conditions: ['colophon-source', 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['colophon-source', 'node', 'development|production'] } },
};

export default defineConfig({
  test: {
    // One for each core: left to itself, a machine of two gets one.
    maxWorkers: '100%',
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'coverage/results.json' }]] : ['default'],
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      { ...source, test: { name: 'repository', include: ['tests/*.test.ts'], testTimeout: 120_000 } },
      {
        ...source,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 1_800_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
