import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** What needs no help: Node's own modules, and our packages, which are sources here. */
const isPlain = (path: string): boolean => path.startsWith('node:') || path.startsWith('@colophon/');

/**
 * Gives `await import('package')` in the bundle the names that it has in Node. Without it a lazily loaded CommonJS package has a
 * `default` and nothing else there, while the same line works in every test from sources.
 */
export const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'lazy-packages' || isPlain(path)) return undefined;
      const found = await build.resolve(path, { kind, resolveDir, pluginData: 'lazy-packages' });
      if (found.external || found.errors.length > 0) return found;
      return { path: found.path, namespace: 'lazy-packages' };
    });
    build.onLoad({ filter: /.*/, namespace: 'lazy-packages' }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path).href)).filter((name) =>
        /^[A-Za-z_$][\w$]*$/.test(name),
      );
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`, resolveDir: dirname(path) };
    });
  },
};
