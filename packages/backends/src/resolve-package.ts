import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Target = string | null | undefined | Target[] | { [condition: string]: Target };

const conditions = ['node', 'import', 'module', 'default'];

const targetOf = (entry: Target): string | undefined => {
  if (typeof entry === 'string') return entry;
  if (Array.isArray(entry)) return entry.map(targetOf).find((target) => target !== undefined);
  if (typeof entry !== 'object' || entry === null) return undefined;
  const [key, inner] =
    Object.entries(entry).find(([name, value]) => conditions.includes(name) && targetOf(value) !== undefined) ?? [];
  return key === undefined ? undefined : targetOf(inner);
};

const entryOf = (manifest: Record<string, unknown>, subpath: string): string | undefined => {
  const exported = manifest['exports'] as Target;
  if (exported === undefined || exported === null) {
    return subpath === '.' ? String(manifest['module'] ?? manifest['main'] ?? 'index.js') : subpath;
  }
  const bySubpath =
    typeof exported === 'object' &&
    !Array.isArray(exported) &&
    Object.keys(exported).some((key) => key.startsWith('.'));
  if (!bySubpath) return subpath === '.' ? targetOf(exported) : undefined;
  return targetOf((exported as Record<string, Target>)[subpath]);
};

const readManifest = async (path: string): Promise<Record<string, unknown> | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Splits `@scope/name/sub/path` into the package's name and the subpath that its `exports` may have. */
const splitPackageName = (specifier: string): { name: string; subpath: string } | undefined => {
  const [, name, rest] = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(\/.+)?$/i.exec(specifier) ?? [];
  return name === undefined ? undefined : { name, subpath: `.${rest ?? ''}` };
};

/**
 * The file that an import of this package from this folder would load, by the folders `node_modules` from there upwards and the
 * package's `exports` (conditions node, import, module, default). Undefined where there is no such package.
 */
export const resolvePackage = async (specifier: string, from: string): Promise<string | undefined> => {
  const parts = splitPackageName(specifier);
  if (!parts) return undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', parts.name);
    const manifest = await readManifest(join(home, 'package.json'));
    const entry = manifest && entryOf(manifest, parts.subpath);
    if (entry !== undefined) return join(home, entry);
    if (manifest || folder === dirname(folder)) return undefined;
  }
};
