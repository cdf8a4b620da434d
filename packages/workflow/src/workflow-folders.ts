import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where workflows stand below a root, in order. */
export const workflowPlaces = ['workflows', 'Agent'] as const;

/** Names of a workflow's file in its folder; the first that is there counts. */
export const workflowFiles = ['workflow.ts', 'workflow.mts', 'workflow.js', 'workflow.mjs'] as const;

/** A folder that may hold a workflow: its name, and the root that it stands below. */
export type WorkflowFolder = { name: string; root: string; folder: string };

/** What stands in `workflows/` and `Agent/` below the roots, in the order in which it is searched. */
export const listFolders = async (roots: readonly string[]): Promise<WorkflowFolder[]> => {
  const places = roots.flatMap((root) => workflowPlaces.map((place) => ({ root, place })));
  const found = await Promise.all(
    places.map(async ({ root, place }) => {
      const names = await readdir(join(root, place)).catch((): string[] => []);
      return names.sort().map((name) => ({ name, root, folder: join(root, place, name) }));
    }),
  );
  return found.flat();
};

/** The file of the workflow in a folder. */
export const workflowFileOf = async (folder: string): Promise<string | undefined> => {
  for (const name of workflowFiles) {
    const file = join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return undefined;
};
