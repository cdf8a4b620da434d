export type { WorkflowContext } from './context.js';
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
export type { ResultType, ResultTypes } from './result-types.js';
export type { CommandLine, Dependency, FixedInputs, Inputs, Task, Workflow } from './workflow.js';
