import { listFolders, workflowFileOf } from './workflow-folders.js';
import { readWorkflowText } from './workflow-text.js';

/**
 * A workflow that can be found by name. `title` and `description` are those of the text beside it. `shadowed`: an earlier one has the
 * same name, so that this one is not found.
 */
export type ListedWorkflow = {
  name: string;
  file: string;
  root: string;
  title?: string;
  description?: string;
  shadowed: boolean;
};

/**
 * The workflows in `workflows/` and `Agent/` below roots, by name. No code runs: names are those of the folders, titles come from
 * `workflow.md` or `README.md` (a title that only the definition has is known after loading). Packages are not listed: which of
 * them hold a workflow shows only when they are loaded.
 */
export const listWorkflows = async ({ roots }: { roots: readonly string[] }): Promise<ListedWorkflow[]> => {
  const found = await Promise.all(
    listFolders([...new Set(roots)]).map(async ({ name, root, folder }) => {
      const file = workflowFileOf(folder);
      if (file === undefined) return [];
      const { title, description } = await readWorkflowText(folder);
      return [
        {
          name,
          file,
          root,
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
        },
      ];
    }),
  );
  const seen = new Set<string>();
  return found
    .flat()
    .map((workflow) => {
      const shadowed = seen.has(workflow.name);
      seen.add(workflow.name);
      return { ...workflow, shadowed };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
};
