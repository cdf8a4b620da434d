export { chatExtras } from './chat-extras.js';
export { type AnalystContext, type AnalystFiles, type AnalystTask, defineTask } from './task.js';
