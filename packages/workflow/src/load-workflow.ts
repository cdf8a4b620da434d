import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { evaluateFile, type Modules } from './evaluate-file.js';
import { workflowExportError, workflowMissingError } from './load-errors.js';
import { toLoadError } from './to-load-error.js';
import type { Task, Workflow } from './workflow.js';
import { readWorkflowText, textFiles, type WorkflowText } from './workflow-text.js';

type Loaded = { workflow: Workflow; stamps: [string, string][] };

/** Workflows that were loaded, by file. Kept by whoever lives long; made by `new Map()`. */
export type LoadedWorkflows = Map<string, Promise<Loaded>>;

/**
 * `loaded`: workflows are taken from here while all files that they were loaded from are as they were; absent: each call loads anew.
 * `cacheFolder`: compiled sources are kept below it, so that loading in another process takes a tenth of the time; absent: nothing
 * is written.
 */
export type LoadOptions = {
  loaded?: LoadedWorkflows;
  cacheFolder?: string;
  /** Packages of the program, beside this one, that a workflow's file may import where they are not installed; loaded when its text names them. */
  modules?: Modules;
};

// Looking at a file costs a twentieth of what waiting for the answer does, and all files are looked at on each call.
const stampOf = (file: string): string => {
  const facts = statSync(file, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.ino} ${facts.size} ${facts.mtimeNs}` : 'none';
};

const isCurrent = ({ stamps }: Loaded): boolean => stamps.every(([file, stamp]) => stampOf(file) === stamp);

const isWorkflow = (value: unknown): value is Workflow => {
  const { name, tasks } = (value ?? {}) as Partial<Workflow>;
  return typeof name === 'string' && name !== '' && typeof tasks === 'object' && tasks !== null;
};

/** The default export, or the one called `workflow`, or what CommonJS exports. */
const takeWorkflow = (exports: unknown, file: string): Workflow => {
  const { default: main, workflow } = (exports ?? {}) as { default?: unknown; workflow?: unknown };
  const found = [main, workflow, exports].find(isWorkflow);
  if (found) return found;
  if (main === undefined) throw workflowExportError(file, 'There is no default export');
  const kind = main === null ? 'null' : Array.isArray(main) ? 'a list' : `a ${typeof main}`;
  throw workflowExportError(
    file,
    `The default export is ${kind === 'a object' ? 'an object without name and tasks' : kind}`,
  );
};

/** Throws for a task that is none: who writes `defineWorkflow` is told there, all others here. */
const checkTasks = ({ tasks }: Workflow, file: string): void => {
  const isTask = (task: unknown): boolean => typeof (task as Partial<Task> | null)?.run === 'function';
  const odd = Array.isArray(tasks) ? 'its tasks are a list' : undefined;
  const name = Object.keys(tasks).find((key) => !isTask(tasks[key]));
  const problem = odd ?? (name === undefined ? undefined : `its task ${JSON.stringify(name)} has no function run`);
  if (problem !== undefined) throw workflowExportError(file, `The default export is a workflow, but ${problem}`);
};

/** Titles and descriptions that the definition lacks, from the text beside it. */
const describe = (workflow: Workflow, { title, description, tasks }: WorkflowText, file: string): Workflow => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...workflow,
  tasks: Object.fromEntries(
    Object.entries(workflow.tasks).map(([name, task]): [string, Task] => {
      const told = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      return [name, told && task && task.description === undefined ? { ...task, description: told } : task];
    }),
  ),
  file,
});

const load = async (
  file: string,
  folder: string,
  { cacheFolder, modules }: Pick<LoadOptions, 'cacheFolder' | 'modules'>,
): Promise<Loaded> => {
  const before = stampOf(file);
  const files: string[] = [];
  const texts = textFiles.map((name) => join(folder, name));
  try {
    const { exports } = await evaluateFile(file, { cacheFolder, files, ...(modules ? { modules } : {}) });
    const taken = takeWorkflow(exports, file);
    checkTasks(taken, file);
    const workflow = describe(taken, await readWorkflowText(folder), file);
    const stamps = [...files, ...texts]
      .filter((path) => path !== file)
      .map((path): [string, string] => [path, stampOf(path)]);
    return { workflow, stamps: [[file, before], ...stamps] };
  } catch (thrown) {
    throw await toLoadError(thrown, file, files);
  }
};

const checkFile = (file: string): void => {
  try {
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw workflowMissingError(file, error);
  }
  throw workflowMissingError(file, new Error('it is no file'));
};

/**
 * Loads the workflow of a file of TypeScript or JavaScript, given by its absolute path, anywhere on disk: `@colophon/workflow` and `zod` are those of this process,
 * everything else is found from the file. Runs the file's code. Throws `workflow_missing`, `workflow_syntax`, `workflow_import`,
 * `workflow_load` or `workflow_export`, with file and line.
 */
export const loadWorkflow = async (
  path: string,
  { loaded, folder, ...options }: LoadOptions & { folder?: string } = {},
): Promise<Workflow> => {
  if (!isAbsolute(path)) throw workflowMissingError(path, new Error('the path is not absolute'));
  const file = normalize(path);
  checkFile(file);
  const kept = loaded?.get(file);
  const known = await kept?.catch(() => undefined);
  if (known && isCurrent(known)) return known.workflow;
  // Another call may have begun to load it meanwhile.
  const begun = loaded?.get(file);
  if (begun && begun !== kept) return (await begun).workflow;
  const fresh = load(file, folder ?? dirname(file), options);
  loaded?.set(file, fresh);
  return (await fresh).workflow;
};
