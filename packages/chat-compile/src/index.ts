export { chatResultType } from './chat-result-type.js';
export { compileChat } from './compile-chat.js';
export { lookUpConfig, parseConfig } from './configuration.js';
export {
  type CompileContext,
  type CompileInput,
  type ConfigEntry,
  type ContextOptions,
  createContext,
  type FileFacts,
  type Files,
  type ImportedChat,
  type JobHandle,
  type Limits,
  type Policy,
  type Stage,
  type Workflows,
} from './context.js';
export { findFile } from './find-file.js';
export { type InputsLine, parseInputsLine, printInputsLine } from './inputs-line.js';
export { clean, cleanRoles, pull, purge } from './stages/clean.js';
export { clear } from './stages/clear.js';
export { config } from './stages/config.js';
export { files } from './stages/files.js';
export { jobs } from './stages/jobs.js';
export { normalise } from './stages/normalise.js';
export { setup } from './stages/setup.js';
export { tasks } from './stages/tasks.js';
export { imports, stages } from './stages.js';
export { type TakenOptions, takeOptions } from './take-options.js';
export { typedValue } from './typed-value.js';
export { toWorkflows } from './workflows.js';
