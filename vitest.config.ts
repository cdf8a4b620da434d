import { createLogger } from 'vite';
import { defineConfig } from 'vitest/config';

// Bundled packages name sources that they do not ship.
const customLogger = createLogger();
const { warnOnce } = customLogger;
customLogger.warnOnce = (text, options) => {
  if (!text.includes('points to missing source files')) warnOnce(text, options);
};

const source = {
  customLogger,
  resolve: { conditions: ['source', 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
};

// These packages ship an export condition of that name too, which leads to their TypeScript: Vite reads that, Node would not.
const server = { deps: { inline: [/@modelcontextprotocol\/sdk/, /\/eventsource(-parser)?\//] } };

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
