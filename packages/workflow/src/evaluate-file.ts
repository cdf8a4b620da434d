import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a file of code exports, and the files that were read for it, itself first: sources and JSON, not what Node loaded itself. */
export type Evaluated = { exports: unknown; files: string[] };

/** Packages by name, as functions that import them. */
export type Modules = Readonly<Record<string, () => Promise<unknown>>>;

type Evaluating = Record<string, { exports: unknown; loaded: boolean } | undefined>;

const jsonImports = /['"](\.{1,2}\/[^'"\n]+\.json)['"]/g;

/** JSON that sources import by relative paths. Node keeps it for ever, so it is let go, to be read again with them. */
const takeJsonFiles = async (sources: readonly string[]): Promise<string[]> => {
  const found = await Promise.all(
    sources.map(async (source) =>
      [...(await readFile(source, 'utf8').catch(() => '')).matchAll(jsonImports)].map(([, path = '']) =>
        resolve(dirname(source), path),
      ),
    ),
  );
  const files = [...new Set(found.flat())];
  for (const file of files) delete createRequire(file).cache[file];
  return files;
};

/** The packages that a text names. */
const named = async (modules: Modules, source: string): Promise<Record<string, unknown>> => {
  const names = Object.keys(modules).filter((name) => source.includes(name));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await modules[name]!()] as const)));
};

/** A reader of TypeScript and JavaScript that begins at a file. `@colophon/workflow` and `zod` are those of this process. */
const createReader = async (
  file: string,
  cacheFolder: string | undefined,
  more: Readonly<Record<string, unknown>> = {},
) => {
  const [{ createJiti }, ours, zod] = await Promise.all([import('jiti'), import('./index.js'), import('zod')]);
  return createJiti(file, {
    fsCache: cacheFolder ?? false,
    rebuildFsCache: false,
    moduleCache: false,
    debug: false,
    sourceMaps: false,
    interopDefault: true,
    alias: {},
    nativeModules: [],
    transformModules: [],
    tryNative: false,
    esmEvalTempFile: false,
    jsx: false,
    tsconfigPaths: false,
    virtualModules: { ...more, '@colophon/workflow': ours, zod, 'zod/v4': zod },
  });
};

/**
 * Runs a file of TypeScript or JavaScript with all that it imports, anew on each call. Nothing is written but compiled sources below
 * `cacheFolder`, where one is given. What Node loads itself is kept by Node until the process ends: packages, and `.mjs`, `.cjs` and
 * CommonJS files that the file imports. What the code throws is thrown as it is; `files` is filled all the same.
 */
export const evaluateFile = async (
  file: string,
  {
    cacheFolder,
    files,
    modules: offered = {},
  }: { cacheFolder?: string | undefined; files: string[]; modules?: Modules },
): Promise<Evaluated> => {
  const source = await readFile(file, 'utf8');
  const reader = await createReader(file, cacheFolder, await named(offered, source));
  const modules: Evaluating = Object.create(null);
  try {
    const exports = await (
      reader.evalModule(source, {
        id: file,
        filename: file,
        async: true,
        // A package is Node's to load; its sources stay what they are.
        ...(file.includes('/node_modules/') ? {} : { forceTranspile: true }),
        cache: modules as never,
      }) as Promise<unknown>
    )
      // A default export of null makes the reader stumble after the code has run.
      .catch((error) => {
        if (!modules[file]?.loaded) throw error;
      });
    return { exports: modules[file]?.exports ?? exports, files };
  } finally {
    const sources = Object.keys(modules);
    files.push(...sources.filter((path) => !files.includes(path)), ...(await takeJsonFiles(sources)));
  }
};

/** The file that a package's name leads to from a folder, by the rules of Node for `import`. */
export const resolvePackage = async (name: string, folder: string): Promise<string | undefined> => {
  const reader = await createReader(resolve(folder, '_.js'), undefined);
  const url = reader.esmResolve(name, { try: true });
  return url === undefined ? undefined : fileURLToPath(url);
};
