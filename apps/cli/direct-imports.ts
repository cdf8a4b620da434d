import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'packages');
const lists = /(import|export) \{([^}]*)\} from '([^']+)';/g;

/** Where each name of a package's index comes from: its file, and its name there. */
const readIndex = (index: string): Map<string, { file: string; name: string }> => {
  const found = new Map<string, { file: string; name: string }>();
  for (const [, , names = '', from = ''] of readFileSync(index, 'utf8').matchAll(lists)) {
    for (const part of names.split(',').map((text) => text.trim())) {
      const [name = '', as = name] = part.split(' as ');
      if (name !== '' && !name.startsWith('type '))
        found.set(as, { file: join(dirname(index), from.replace(/\.js$/, '.ts')), name });
    }
  }
  return found;
};

const indexOf = (specifier: string): string | undefined => {
  const [, name = '', below = ''] = /^@colophon\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
  const index = join(packages, name, 'src', below, 'index.ts');
  return name !== '' && existsSync(index) ? index : undefined;
};

/**
 * Imports of our packages go straight to the files that hold the names. Chunks are made file by file: through an index every
 * command would load all of a package, where start-up counts.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  setup(build) {
    const indexes = new Map<string, ReturnType<typeof readIndex>>();
    const namesOf = (index: string) => {
      const names = indexes.get(index) ?? readIndex(index);
      indexes.set(index, names);
      return names;
    };
    const direct = (statement: string, verb: string, names: string, specifier: string): string => {
      const index = indexOf(specifier);
      if (index === undefined) return statement;
      return names
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '' && !part.startsWith('type '))
        .map((part) => {
          const [name = '', as = name] = part.split(' as ');
          const { file, name: original } = namesOf(index).get(name) ?? { file: index, name };
          return `${verb} { ${original} as ${as} } from ${JSON.stringify(file)};`;
        })
        .join(' ');
    };
    build.onLoad({ filter: /\/(apps\/cli|packages\/[^/]+)\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(lists, direct),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
  },
};
