export type {
  Association,
  Declaration,
  Declared,
  McpServer,
  ToolSources,
  WorkflowTools,
} from './declarations/declaration.js';
export { declarations } from './declarations/declarations.js';
export { defineTool } from './define-tool.js';
export { checkRegistry } from './registry.js';
export { pendingCalls, resumeCalls } from './resume-calls.js';
export { callMessages, defaultConcurrency, type RunContext, runCalls } from './run-calls.js';
export { defaultTimeLimit } from './settle.js';
export { type TakenTools, type TakeToolsContext, takeTools } from './take-tools.js';
export type { Call, JsonSchema, Progress, Tool, ToolContext, ToolFailure, ToolResult } from './tool.js';
export { type EnvelopedDefinition, type ToolDefinition, toolDefinition } from './tool-definition.js';
export { toolResult } from './tool-result.js';
export { defaultMaxContentLength } from './truncate.js';
export { type WorkflowToolsOptions, workflowTools } from './workflow-tools.js';
