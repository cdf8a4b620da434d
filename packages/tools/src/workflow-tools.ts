import type { Engine, Job, Task, Workflow, WorkflowContext } from '@colophon/workflow';
import { takeCallArguments, withCallArguments } from './call-arguments.js';
import type { WorkflowTools } from './declarations/declaration.js';
import { isRecord } from './is-record.js';
import { jobContent, toError } from './job-content.js';
import { jobProgress } from './job-progress.js';
import { toToolNames } from './mcp/tool-names.js';
import { messageOf } from './message-of.js';
import { defaultTimeLimit } from './settle.js';
import type { JsonSchema, Tool, ToolContext, ToolFailure } from './tool.js';
import { toolResult } from './tool-result.js';

/** How the tools of tasks run their jobs. */
export type WorkflowToolsOptions = {
  /** Where the bodies of jobs run; one engine of `limitEngine` for all tools of a run is one limit for all their jobs. */
  engine?: Engine;
  /** Whether results may be asked for as a path, where there is somebody who can read it; default true. */
  returnPath?: boolean;
  /** Called before a call waits for a job, and what it returns when the job ended, however that was. */
  onWait?: (job: Job, context: ToolContext) => Promise<() => Promise<void>>;
};

type Maker = WorkflowToolsOptions & { workflow: Workflow; context: WorkflowContext };

const kinds: Record<string, ToolFailure> = { timeout: 'timeout', aborted: 'aborted' };

/** A job that took longer than its task allows, or was stopped by somebody, is told apart from one that failed. */
const kindOf = ({ code }: Error & { code?: string }): ToolFailure =>
  code !== undefined && Object.hasOwn(kinds, code) ? kinds[code]! : 'error';

// A file that holds a number or a word is no better than what it holds.
const small = new Set(['string', 'integer', 'float', 'boolean']);

const isInputError = (error: unknown): boolean =>
  ['bad_input', 'unknown_input'].includes(String((error as { code?: unknown } | undefined)?.code));

/** Runs a job to its end; what made it fail, where it did. */
const runJob = async (job: Job, call: ToolContext, { engine, onWait }: Maker): Promise<Error | undefined> => {
  const { produce } = await import('@colophon/workflow');
  const { done } = await job.read();
  const ended = done ? undefined : await onWait?.(job, call);
  try {
    const [produced] = await produce([job], {
      ...(engine ? { engine } : {}),
      signal: call.signal,
      onProgress: (event) => {
        const progress = jobProgress(event);
        if (progress) call.onProgress(progress);
      },
    });
    return produced?.exception && toError(produced.exception);
  } finally {
    await ended?.();
  }
};

// The layer above knows who may read what; where nobody does, a path is no more than a text.
const grantRead = (path: string, { grantRead: grant }: ToolContext): void => {
  if (typeof grant === 'function') grant(path);
};

/** The context with what the call tells of its request. */
const withRequest = (context: WorkflowContext, { requestContext }: ToolContext): WorkflowContext =>
  isRecord(requestContext) ? { ...context, requestContext: { ...requestContext, ...context.requestContext } } : context;

const isReadable = (value: unknown): boolean => {
  if (!(value instanceof Uint8Array)) return true;
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(value).includes('\0');
  } catch {
    return false;
  }
};

const answer = async (
  given: Record<string, unknown>,
  call: ToolContext,
  task: string,
  inputs: JsonSchema,
  maker: Maker,
): Promise<unknown> => {
  const { createJob, resultTypes } = await import('@colophon/workflow');
  const { context, workflow } = maker;
  const { values, jobName, returnPath } = takeCallArguments(given, inputs);
  let job: Job;
  try {
    job = await createJob(workflow, task, values, {
      ...(jobName === undefined ? {} : { jobName }),
      context: withRequest(context, call),
    });
  } catch (error) {
    if (!isInputError(error)) throw error;
    return toolResult({ content: messageOf(error), error: 'invalid_arguments' });
  }
  const { path, shortPath: step } = job;
  const failure = await runJob(job, call, maker);
  if (failure) return toolResult({ content: failure, error: kindOf(failure), step });
  const content = returnPath ? path : await jobContent(job, context.resultTypes ?? resultTypes);
  const readable = isReadable(content);
  if (returnPath || !readable) grantRead(path, call);
  return toolResult({ content: readable ? content : `The result is no text. It is the file ${path}`, step });
};

const annotations = ({ readOnly, destructive, fresh }: Task): Partial<Tool> => ({
  // A finished job is not run again, an interrupted one is taken up.
  ...(destructive !== true && (!fresh || readOnly === true) ? { idempotent: true } : {}),
  ...(readOnly === undefined ? {} : { readOnly }),
  ...(destructive === undefined ? {} : { destructive }),
});

const toTool = async (name: string, task: string, maker: Maker): Promise<Tool> => {
  const { inputSchema } = await import('@colophon/workflow');
  const { workflow, context, returnPath = true } = maker;
  const definition = workflow.tasks[task]!;
  const { description = '', type, timeLimit = 0, retry = 0 } = definition;
  const inputs = await inputSchema(workflow, task, context.findWorkflow);
  const longest = timeLimit * (retry + 1);
  return {
    name,
    description,
    parameters: withCallArguments(inputs, returnPath && !small.has(type)),
    ...annotations(definition),
    ...(longest > defaultTimeLimit ? { timeout: longest } : {}),
    origin: `workflow ${workflow.name}`,
    run: (given, call) => answer(given, call, task, inputs, maker),
  };
};

/**
 * A workflow's tasks as tools, for `ToolSources.workflow`. A call makes a job and produces it: a finished one is loaded at once. Its
 * content is the result (tables and chats as text, what is no text as the path of its file), `step` the job's short path; with
 * `return_path` the path of the result, for which the tool context's `grantRead` is called. Inputs that don't fit are
 * `invalid_arguments`, a failed job is an error. Throws what `inputSchema` throws for a workflow that can't run.
 */
export const workflowTools = async (
  workflow: Workflow,
  context: WorkflowContext,
  options: WorkflowToolsOptions = {},
): Promise<WorkflowTools> => {
  const { name, title, description, exported } = workflow;
  const names = toToolNames(Object.keys(workflow.tasks));
  const maker: Maker = { ...options, workflow, context };
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(exported === undefined ? {} : { exported: exported.map((task) => names.get(task) ?? task) }),
    tools: await Promise.all([...names].map(([task, toolName]) => toTool(toolName, task, maker))),
  };
};
