import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment } from '../command-environment.js';
import type { WorkflowContext } from '../context.js';
import type { Modules } from '../evaluate-file.js';
import { findWorkflow } from '../find-workflow.js';
import type { LoadedWorkflows } from '../load-workflow.js';
import type { ResultTypes } from '../result-types.js';
import type { Workflow } from '../workflow.js';

/** Where jobs and workflows are on this machine. */
export type NodeWorkflowOptions = {
  /** Search roots, absolute, in order: workflows in `<root>/workflows` and `<root>/Agent`, jobs in `<root>/var/jobs`. */
  roots: readonly string[];
  /** Folder for new jobs; the first root's `var/jobs` unless told otherwise. */
  jobs?: string;
  /** Workflows that are known without a file, by name; they come before those on disk. */
  workflows?: Readonly<Record<string, Workflow>>;
  resultTypes?: ResultTypes;
  /** This machine's; of it command tasks get what `commandEnvironment` picks, which holds no keys, and what `passOn` names. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that command tasks get. */
  passOn?: readonly string[];
  /** Folder for compiled sources of workflows. */
  cacheFolder?: string;
  /** Packages of the program that workflows may import where they are not installed. */
  modules?: Modules;
  /** What tasks may use of the program, by name. */
  services?: WorkflowContext['services'];
  now?: () => Date;
  log?: (line: string) => void;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The context of workflows on this machine. A workflow is loaded once, and again when its files change. */
export const nodeContext = ({
  roots,
  jobs = join(roots[0] ?? '/', 'var/jobs'),
  workflows = {},
  resultTypes,
  environment,
  passOn,
  cacheFolder,
  modules,
  services,
  now = () => new Date(),
  log,
}: NodeWorkflowOptions): WorkflowContext => {
  const loaded: LoadedWorkflows = new Map();
  const options = {
    roots,
    loaded,
    ...(cacheFolder === undefined ? {} : { cacheFolder }),
    ...(modules ? { modules } : {}),
  };
  return {
    jobs,
    jobRoots: roots.map((root) => join(root, 'var/jobs')).filter((folder) => folder !== jobs),
    findWorkflow: async (name) => (Object.hasOwn(workflows, name) ? workflows[name] : findWorkflow(name, options)),
    now,
    randomId: randomUUID,
    pid: process.pid,
    host: hostname(),
    isAlive,
    ...(resultTypes ? { resultTypes } : {}),
    ...(environment ? { environment: commandEnvironment(environment, passOn) } : {}),
    ...(services ? { services } : {}),
    ...(log ? { log } : {}),
  };
};
