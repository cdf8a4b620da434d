import type { Options } from 'tsup';

/** How every library package is bundled: ESM, one entry an exported subpath; types come from tsc. */
export const library = (entry: Record<string, string>): Options => ({
  entry,
  format: ['esm'],
  target: 'node20',
  dts: false,
  sourcemap: false,
  clean: true,
  splitting: true,
});
