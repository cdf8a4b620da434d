import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** A package.json, as far as the checks read it. */
export type Manifest = {
  name: string;
  version?: string;
  exports?: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** A package of the workspace with its sources; `folder` and `path` are relative to the repository. */
export type Package = {
  folder: string;
  manifest: Manifest;
  manifestText: string;
  files: { path: string; text: string }[];
};

const sourceFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[mc]?[jt]sx?$/.test(name))
        .map((name) => join(folder, name))
    : [];

/** Reads every package below `packages/` and `apps/`. */
export const readPackages = (): Package[] =>
  ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .filter((name) => existsSync(join(root, group, name, 'package.json')))
      .sort()
      .map((name) => {
        const folder = `${group}/${name}`;
        const manifestText = readFileSync(join(root, folder, 'package.json'), 'utf8');
        const files = sourceFiles(join(root, folder, 'src'))
          .sort()
          .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
        return { folder, manifest: JSON.parse(manifestText) as Manifest, manifestText, files };
      }),
  );
