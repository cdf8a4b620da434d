import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { readAmbient, readImports, readNodeGlobals } from './read-imports.js';
import type { Manifest, Package } from './workspace.js';

/** The house: what stands on what. A package imports lower layers only. */
const layers: Record<string, number> = {
  '@colophon/chat-format': 0,
  '@colophon/workflow': 0,
  '@colophon/chat-compile': 1,
  '@colophon/prompt-strategies': 1,
  '@colophon/tools': 1,
  '@colophon/provenance': 1,
  '@colophon/backends': 2,
  '@colophon/agent': 3,
  '@colophon/analyst-tasks': 3,
  colophon: 4,
};

/** Packages that know no machine, each with the folders of its sources that may touch one. */
const machineFolders: Record<string, readonly string[]> = {
  '@colophon/chat-format': ['src/node/'],
  '@colophon/chat-compile': ['src/node/'],
  '@colophon/tools': ['src/mcp/', 'src/knowledge-base/'],
  '@colophon/provenance': ['src/node/'],
};

// Below layer 3 time, chance, environment and place are handed in. What stands in `src/node/` may fill a context with this
// machine's clock and chance, and lock files by them; environment and place are handed in even there.
const clockAndChance = /^(new Date\(\)|Date\.|performance\.|Math\.random|crypto\.)/;

const lowestWithAmbient = 3;

const isOurs = (name: string): boolean => name === 'colophon' || name.startsWith('@colophon/');

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const isBuiltin = (specifier: string): boolean =>
  specifier.startsWith('node:') || builtinModules.includes(packageOf(specifier));

const dependencyKinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

const declared = (manifest: Manifest, bundled: boolean): Set<string> =>
  new Set(
    dependencyKinds
      .filter((kind) => bundled || kind !== 'devDependencies')
      .flatMap((kind) => Object.keys(manifest[kind] ?? {})),
  );

const direction = (from: string, to: string): string | undefined => {
  const [own, other] = [layers[from], layers[to]];
  if (own === undefined) return `${from} stands in no layer; add it to the map in tests/checks/layer-rules.ts`;
  if (other === undefined) return `${to} stands in no layer`;
  if (from === to) return `a package imports its own files by relative paths, not as ${to}`;
  if (other === own)
    return `${to} stands beside ${from} (both layer ${own}); take what is needed as a function in the context`;
  return other > own ? `${to} (layer ${other}) stands above ${from} (layer ${own})` : undefined;
};

const manifestProblems = ({ folder, manifest, manifestText }: Package): string[] =>
  dependencyKinds.flatMap((kind) =>
    Object.keys(manifest[kind] ?? {})
      .filter(isOurs)
      .flatMap((name) => {
        const problem = direction(manifest.name, name);
        const line = manifestText.slice(0, manifestText.lastIndexOf(`"${name}"`)).split('\n').length;
        return problem ? [`${folder}/package.json:${line}: ${kind}: ${problem}`] : [];
      }),
  );

const importProblem = (
  specifier: string,
  path: string,
  { folder, manifest }: Package,
  packages: readonly Package[],
): string | undefined => {
  if (specifier.startsWith('.')) {
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    return target.startsWith(`${folder}/`)
      ? undefined
      : `${specifier} leaves the package; import another one by its name`;
  }
  if (specifier.startsWith('/') || specifier.startsWith('file:')) return `${specifier} is an absolute path`;
  if (isBuiltin(specifier)) return undefined;
  const name = packageOf(specifier);
  const wrong = isOurs(name) ? direction(manifest.name, name) : undefined;
  if (wrong) return wrong;
  const known = packages.find((candidate) => candidate.manifest.name === name);
  const subpath = `.${specifier.slice(name.length)}`;
  if (known && !Object.hasOwn(known.manifest.exports ?? {}, subpath))
    return `${specifier} is an inner file: ${name} exports ${Object.keys(known.manifest.exports ?? {}).join(', ')}`;
  const kinds = folder.startsWith('apps/') ? 'any dependencies' : 'dependencies';
  return declared(manifest, folder.startsWith('apps/')).has(name)
    ? undefined
    : `${name} is not among the ${kinds} of ${folder}/package.json`;
};

const machineProblems = (path: string, text: string, { folder, manifest }: Package): string[] => {
  const folders = machineFolders[manifest.name];
  if (!folders || folders.some((rim) => path.startsWith(`${folder}/${rim}`))) return [];
  const where = folders.length > 0 ? `only ${folders.join(', ')} may` : 'nothing in it may';
  const imports = readImports(path, text).filter(({ specifier }) => isBuiltin(specifier));
  return [
    ...imports.map(
      ({ specifier, line }) => `${path}:${line}: imports ${specifier}, but ${manifest.name} knows no machine: ${where}`,
    ),
    ...readNodeGlobals(path, text).map(
      ({ what, line }) =>
        `${path}:${line}: uses ${what}, which only Node has, but ${manifest.name} knows no machine: ${where}`,
    ),
  ];
};

const ambientProblems = (path: string, text: string, { folder, manifest }: Package): string[] => {
  if ((layers[manifest.name] ?? 0) >= lowestWithAmbient) return [];
  const onRim = path.startsWith(`${folder}/src/node/`);
  return readAmbient(path, text)
    .filter(({ what }) => !(onRim && clockAndChance.test(what)))
    .map(
      ({ what, line }) => `${path}:${line}: reads ${what}; below layer ${lowestWithAmbient} it comes through a context`,
    );
};

/** Everything that is wrong with who imports whom and who touches what, as `file:line: what`. */
export const layerProblems = (packages: readonly Package[]): string[] =>
  packages.flatMap((own) => [
    ...(layers[own.manifest.name] === undefined
      ? [`${own.folder}/package.json:1: ${direction(own.manifest.name, own.manifest.name)}`]
      : []),
    ...manifestProblems(own),
    ...own.files.flatMap(({ path, text }) => [
      ...readImports(path, text).flatMap(({ specifier, line }) => {
        const problem = importProblem(specifier, path, own, packages);
        return problem ? [`${path}:${line}: ${problem}`] : [];
      }),
      ...machineProblems(path, text, own),
      ...ambientProblems(path, text, own),
    ]),
  ]);
