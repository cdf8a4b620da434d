export { type Authorization, authorizePath, type PathGrants } from './authorize-path.js';
export { cleanPersisted } from './clean-persisted.js';
export { commandEnvironment } from './command-environment.js';
export type { WorkflowContext } from './context.js';
export { type CreateJobOptions, createJob } from './create-job.js';
export {
  type CommandDefinition,
  command,
  defineWorkflow,
  dependency,
  type TaskDefinition,
  task,
} from './define-workflow.js';
export { localEngine } from './engine.js';
export { ColophonError, type ErrorFacts } from './errors.js';
export { readException, toStoredException } from './exception.js';
export { executeTask } from './execute-task.js';
export { findJob } from './find-job.js';
export { findWorkflow, type LocatedWorkflow, locateWorkflow } from './find-workflow.js';
export { type Identity, jobDigest } from './identity.js';
export { parseInfo, printInfo } from './info.js';
export { inputSchema, type JsonSchema } from './input-schema.js';
export { dependencyInputs, type ReadInputs, readInputs } from './inputs.js';
export type {
  Engine,
  Job,
  JobInfo,
  JobProgress,
  JobRecord,
  JobWarning,
  ProgressEvent,
  RunOptions,
  Status,
  Step,
  StoredException,
} from './job.js';
export { statuses } from './job.js';
export { isPlainName, jobName, sanitizeName } from './job-name.js';
export {
  filesPath,
  infoPath,
  jobPath,
  lockPath,
  lockStale,
  shortPath,
  splitJobPath,
  temporaryPath,
} from './job-paths.js';
export { limitEngine } from './limit-engine.js';
export { listJobs } from './list-jobs.js';
export { type ListedWorkflow, listWorkflows } from './list-workflows.js';
export { unknownWorkflowError } from './load-errors.js';
export { loadResult } from './load-result.js';
export { type LoadedWorkflows, type LoadOptions, loadWorkflow } from './load-workflow.js';
export type { Outcome } from './outcome.js';
export { defaultConcurrency, type Produced, produce } from './produce.js';
export { type ReadJobOptions, readJob } from './read-job.js';
export { type RequestContext, toRequestContext } from './request-context.js';
export { type ResultType, type ResultTypes, resultTypes } from './result-types.js';
export { type CommandOptions, type CommandResult, runCommand } from './run-command.js';
export { runJobAt } from './run-job-at.js';
export { type FindWorkflow, type TaskInput, taskInputs } from './task-inputs.js';
export type { CommandLine, Dependency, FixedInputs, Inputs, Task, Workflow } from './workflow.js';
