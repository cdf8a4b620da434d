import type { WorkflowContext } from './context.js';
import { jobDigest } from './identity.js';
import { dependencyInputs, readInputs } from './inputs.js';
import type { Job } from './job.js';
import { jobName as fileName } from './job-name.js';
import { jobPath, shortPath } from './job-paths.js';
import { jobVerbs } from './job-verbs.js';
import { unknownWorkflowError } from './load-errors.js';
import { printCanonical } from './plain-value.js';
import type { PlannedJob } from './plan.js';
import { type ResultType, resultTypes } from './result-types.js';
import { unknownTypeError } from './run-errors.js';
import { hasResult } from './store.js';
import { type TaskInput, taskInputs, taskOf, workflowOf } from './task-inputs.js';
import type { Inputs, Task, Workflow } from './workflow.js';

/** What a job is made with. `jobName`: names it and, where they have no name of their own, what it depends on. */
export type CreateJobOptions = { context: WorkflowContext; jobName?: string | undefined };

/** What one call of `createJob` knows already: jobs by what they are made of, and by their paths; inputs by task. */
type Known = {
  jobs: Map<string, Promise<PlannedJob>>;
  paths: Map<string, PlannedJob>;
  inputs: Map<string, TaskInput[]>;
  context: WorkflowContext;
};

const resultTypeOf = (
  label: string,
  type: string,
  { resultTypes: types = resultTypes }: WorkflowContext,
): ResultType => {
  if (Object.hasOwn(types, type)) return types[type]!;
  throw unknownTypeError(label, type, Object.keys(types));
};

const nameFrom = ({ jobNameInput }: Task, inputs: Inputs, given: string | undefined): string => {
  if (given !== undefined) return given;
  const named = jobNameInput !== undefined && Object.hasOwn(inputs, jobNameInput) ? inputs[jobNameInput] : undefined;
  return named === undefined || named === null || named === '' ? 'Default' : String(named);
};

/** Where the job is: in the first folder that has its result, else in the one for new jobs; one that is always run again there, too. */
const placeOf = async (
  job: { workflow: string; task: string; name: string },
  { fresh }: Task,
  { jobs, jobRoots = [] }: WorkflowContext,
): Promise<string> => {
  const own = jobPath(jobs, job);
  if (fresh || jobRoots.length === 0 || (await hasResult(own))) return own;
  for (const root of jobRoots) {
    const path = jobPath(root, job);
    if (await hasResult(path)) return path;
  }
  return own;
};

const make = async (
  workflow: Workflow,
  taskName: string,
  given: Inputs,
  jobName: string | undefined,
  known: Known,
): Promise<PlannedJob> => {
  const { context } = known;
  const definition = taskOf(workflow, taskName);
  const label = `${workflow.name}/${taskName}`;
  const resultType = resultTypeOf(label, definition.type, context);
  const read = await readInputs(workflow, taskName, given, context.findWorkflow, known.inputs);
  const dependencies: Record<string, Job | Job[]> = {};
  const digests: Record<string, string | string[]> = {};
  const required = new Set<string>();
  const needed: PlannedJob[] = [];
  for (const [name, declared] of Object.entries(definition.needs ?? {})) {
    const owner = await workflowOf(declared.workflow, workflow, context.findWorkflow);
    const inputs = await taskInputs(owner, declared.task, context.findWorkflow, known.inputs);
    const names = inputs.map((input) => input.name);
    const passed = dependencyInputs(declared, read, names);
    const makeOne = (one: Inputs) => getJob(owner, declared.task, one, declared.jobName || jobName, known);
    if (Array.isArray(passed)) {
      const jobs: PlannedJob[] = [];
      for (const one of passed) jobs.push(await makeOne(one));
      dependencies[name] = jobs;
      digests[name] = jobs.map(({ digest }) => digest);
      needed.push(...jobs);
    } else {
      const job = await makeOne(passed);
      dependencies[name] = job;
      digests[name] = job.digest;
      needed.push(job);
    }
    if (!declared.allowFailure) for (const { path } of [dependencies[name]!].flat()) required.add(path);
  }
  const digest = jobDigest({ workflow: workflow.name, task: taskName, inputs: read.inputs, dependencies: digests });
  // An input that names the job counts, too: another job may be given that name.
  const hasDigest = Object.keys(read.provided).length > 0 || needed.some((job) => job.plan.hasDigest);
  const base = nameFrom(definition, read.inputs, jobName);
  const extension =
    definition.extension === undefined ? resultType.extension : `.${definition.extension.replace(/^\./, '')}`;
  const name = fileName(base, hasDigest ? digest : undefined, extension);
  const path = await placeOf({ workflow: workflow.name, task: taskName, name }, definition, context);
  const before = known.paths.get(path);
  if (before) return before;
  const job: PlannedJob = {
    path,
    shortPath: shortPath(path),
    workflow: workflow.name,
    task: taskName,
    name,
    type: definition.type,
    inputs: read.inputs,
    provided: read.provided,
    digest,
    dependencies,
    ...jobVerbs(() => job),
    plan: {
      context,
      definition,
      resultType,
      own: read.own,
      inputNames: Object.keys(read.inputs),
      jobName,
      hasDigest,
      createJob: (other, name, values, options) => createJob(other, name, values, { ...options, context }),
      optional: new Set(needed.map((one) => one.path).filter((one) => !required.has(one))),
    },
  };
  known.paths.set(path, job);
  return job;
};

/** A job of the same call that is made of the same: a diamond in the graph is one job. */
const getJob = (
  workflow: Workflow,
  task: string,
  given: Inputs,
  jobName: string | undefined,
  known: Known,
): Promise<PlannedJob> => {
  let key: string | undefined;
  try {
    key = printCanonical([workflow.name, task, given, jobName]);
  } catch {
    // Values that JSON can't hold are told by `readInputs`.
  }
  const before = key === undefined ? undefined : known.jobs.get(key);
  if (before) return before;
  const job = make(workflow, task, given, jobName, known);
  if (key !== undefined) known.jobs.set(key, job);
  return job;
};

/**
 * Makes a job, and all that it depends on, from the name of a workflow (or a workflow), a task and inputs. Nothing is run or written. The same
 * workflow, task, inputs and job name lead to the same files.
 *
 * @throws ColophonError `unknown_workflow`, `unknown_task`, `unknown_input`, `bad_input`, `unknown_type`, `dependency_cycle`.
 */
export const createJob = async (
  workflow: string | Workflow,
  task: string,
  inputs: Inputs,
  { context, jobName }: CreateJobOptions,
): Promise<Job> => {
  const found = typeof workflow === 'string' ? await context.findWorkflow(workflow) : workflow;
  if (!found) throw unknownWorkflowError(String(workflow), { places: [] });
  return getJob(found, task, inputs, jobName || undefined, {
    jobs: new Map(),
    paths: new Map(),
    inputs: new Map(),
    context,
  });
};
