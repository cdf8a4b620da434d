/** The folder of an absolute path; `/` is its own. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1));

export const joinPath = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);

/** A path without the last extension of its name; a dot in front of a name starts none. */
export const stemOf = (path: string): string => {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
};

/** The `var/jobs` folder that holds a job at `<jobs>/<Workflow>/<task>/<name>`. */
export const jobsFolderOf = (path: string): string => folderOf(folderOf(folderOf(path)));

/** Orders texts by their code units, which no language setting changes. */
export const byText = (first: string, second: string): number => (first < second ? -1 : first > second ? 1 : 0);
