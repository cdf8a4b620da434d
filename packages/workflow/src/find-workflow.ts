import { stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { resolvePackage } from './evaluate-file.js';
import { workflowExportError, workflowNameError } from './load-errors.js';
import { type LoadOptions, loadWorkflow } from './load-workflow.js';
import { placeOfName } from './place-of-name.js';
import type { Workflow } from './workflow.js';
import { listFolders, workflowFileOf, workflowPlaces } from './workflow-folders.js';
import { isPackageName, isWorkflowName, nameVariants, nearestName, toSnakeCase } from './workflow-names.js';

/**
 * Where a workflow of a name stands: its `file`, or the folder of the installed `package`; neither where there is none. `places` were
 * looked at, in order; `near` is a name that may have been meant.
 */
export type LocatedWorkflow = { file?: string; package?: string; places: string[]; near?: string };

/** The folder of a package that is installed at a folder or above it. */
const packageFolder = async (name: string, from: string): Promise<string | undefined> => {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if ((await stat(join(candidate, 'package.json')).catch(() => undefined))?.isFile()) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
};

/**
 * Looks for a workflow by its name, running nothing: as a folder in `workflows/` or `Agent/` below each root, under its name, then in
 * snake_case, then in CamelCase; then as an npm package that is installed at a root. A name is compared with the names of folders that
 * are there, so that it leads nowhere else; nothing is downloaded.
 */
export const locateWorkflow = async (
  name: string,
  { roots }: { roots: readonly string[] },
): Promise<LocatedWorkflow> => {
  const asFolder = isWorkflowName(name);
  const asPackage = isPackageName(name) && !builtinModules.includes(name);
  const folders = asFolder ? listFolders([...new Set(roots)]) : [];
  for (const variant of asFolder ? nameVariants(name) : []) {
    for (const { name: found, folder } of folders) {
      const file = found === variant ? workflowFileOf(folder) : undefined;
      if (file !== undefined) return { file, places: [dirname(file)] };
    }
  }
  for (const root of asPackage ? roots : []) {
    const found = await packageFolder(name, root);
    if (found !== undefined) return { package: found, places: [found] };
  }
  const places = roots.flatMap((root) => [
    ...(asFolder ? workflowPlaces.map((place) => join(root, place, name)) : []),
    ...(asPackage ? [join(root, 'node_modules', name)] : []),
  ]);
  const others = folders.filter(({ folder }) => workflowFileOf(folder) !== undefined);
  const near = nearestName(name, [...new Set(others.map((other) => other.name))]);
  return { places, ...(near === undefined ? {} : { near }) };
};

/**
 * The workflow of a name, loaded; undefined where there is none. Where it is searched: see `locateWorkflow`. Throws what loading throws,
 * and `workflow_name` where a workflow calls itself otherwise than its folder.
 */
export const findWorkflow = async (
  name: string,
  { roots, ...options }: LoadOptions & { roots: readonly string[] },
): Promise<Workflow | undefined> => {
  const located = await locateWorkflow(name, { roots });
  if (located.package !== undefined) return loadPackage(name, located.package, options);
  if (located.file === undefined) return undefined;
  const workflow = await loadWorkflow(located.file, options);
  const folder = dirname(located.file).split('/').at(-1)!;
  if (toSnakeCase(workflow.name) === toSnakeCase(folder)) return workflow;
  throw workflowNameError(located.file, workflow.name, folder, await placeOfName(located.file, workflow.name));
};

const loadPackage = async (name: string, folder: string, options: LoadOptions): Promise<Workflow> => {
  const file = await resolvePackage(name, dirname(folder));
  if (file === undefined)
    throw workflowExportError(join(folder, 'package.json'), `The package ${name} has no main file`);
  return loadWorkflow(file, { ...options, folder });
};
