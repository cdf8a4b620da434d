export { analystTools } from './analyst-tools.js';
export { analystWorkflow } from './analyst-workflow.js';
export { type CallFact, type ChatExtras, chatExtras } from './chat-extras.js';
export { inputOf, runOn, runTask } from './run-task.js';
export { openSession, type Session } from './session.js';
export { type AnalystContext, type AnalystFiles, type AnalystTask, defineTask } from './task.js';
export { type Reports, tasks } from './tasks.js';
