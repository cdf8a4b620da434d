export { commandEnvironment } from './command-environment.js';
export type { WorkflowContext } from './context.js';
export { ColophonError, type ErrorFacts } from './errors.js';
export { findWorkflow, type LocatedWorkflow, locateWorkflow } from './find-workflow.js';
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
export { type ListedWorkflow, listWorkflows } from './list-workflows.js';
export { unknownWorkflowError } from './load-errors.js';
export { type LoadedWorkflows, type LoadOptions, loadWorkflow } from './load-workflow.js';
export type { ResultType, ResultTypes } from './result-types.js';
export { type CommandOptions, type CommandResult, runCommand } from './run-command.js';
export type { CommandLine, Dependency, FixedInputs, Inputs, Task, Workflow } from './workflow.js';
