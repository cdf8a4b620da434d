import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where workflows stand below a root, in order. */
export const workflowPlaces = ['workflows', 'Agent'] as const;

/** Names of a workflow's file in its folder; the first that is there counts. */
const workflowFiles = ['workflow.ts', 'workflow.mts', 'workflow.js', 'workflow.mjs'] as const;

/** A folder that may hold a workflow: its name, and the root that it stands below. */
export type WorkflowFolder = { name: string; root: string; folder: string };

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

/** What stands in `workflows/` and `Agent/` below the roots, in the order in which it is searched. */
export const listFolders = (roots: readonly string[]): WorkflowFolder[] =>
  roots.flatMap((root) =>
    workflowPlaces.flatMap((place) =>
      namesIn(join(root, place)).map((name) => ({ name, root, folder: join(root, place, name) })),
    ),
  );

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** The file of the workflow in a folder. */
export const workflowFileOf = (folder: string): string | undefined =>
  workflowFiles.map((name) => join(folder, name)).find(isFile);
