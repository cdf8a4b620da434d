import { readFile } from 'node:fs/promises';
import { createJobsFiles } from '@colophon/backends';
import { type Message, pairToolCalls, parseCall, toolCallStatus } from '@colophon/chat-format';
import { inboxPaths } from '@colophon/prompt-strategies';
import { runCalls, type Tool, toolDefinition, toolResult, workflowTools } from '@colophon/tools';
import { task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import type { Json, Operation, Place } from '../vector.js';
import { agentTool, callOneAgent } from './agents.js';
import { chatOf } from './chat-of.js';

/** What a finished job gives to the tool that made it. */
const jobResult = ({ short_path, status, result, exception }: Json, parameters: Record<string, unknown>) => {
  const step = short_path.replaceAll('{name}', String(parameters['name']));
  return status === 'error'
    ? toolResult({ content: exception, error: 'error', step })
    : toolResult({ content: result, step });
};

const stubTool = (name: string, stub: Json): Tool => ({
  name,
  description: stub.description ?? '',
  parameters: { type: 'object', properties: {}, ...(stub.defaults ? { defaults: stub.defaults } : {}) },
  run: (parameters) => {
    if (stub.echo_arguments) return parameters;
    if (stub.return_error !== undefined) return new Error(stub.return_error);
    if (stub.return_job) return jobResult(stub.return_job, parameters);
    return stub.return ?? undefined;
  },
});

const linesOf = (path: string): Promise<string[] | null> =>
  readFile(path, 'utf8').then(
    (text) => text.split('\n').filter((line) => line !== ''),
    () => null,
  );

/** A tool whose job the round has to run; `during` is called while it does. */
const pendingTool = async (
  name: string,
  { short_path, result, exception }: Json,
  { root }: Place,
  during: () => Promise<void>,
): Promise<Tool> => {
  const [workflow, taskName, jobname] = short_path.split('/');
  const run = async () => {
    await during();
    if (exception !== undefined) throw new Error(exception);
    return result;
  };
  const { tools } = await workflowTools(
    { name: workflow, tasks: { [taskName]: task({ type: 'text', run }) } },
    nodeContext({ roots: [root] }),
    { onWait: createJobsFiles().waitForJob },
  );
  const tool = tools[0] as Tool;
  return { ...tool, name, parameters: { ...tool.parameters, defaults: { jobname } } };
};

const contents = (messages: readonly Message[]) => messages.map(({ content }) => JSON.parse(content));

/** Calls of tools, and what came of them. */
export const tools: Record<string, Operation> = {
  tool_calls: (input) => ({
    calls: pairToolCalls(chatOf(input), input.source).map((pair) => {
      const { exitStatus, ...status } = toolCallStatus(pair);
      return {
        call_id: pair.callId,
        name: pair.name,
        arguments: pair.arguments,
        role: pair.role,
        call_address: pair.callAddress,
        output_address: pair.outputAddress,
        output: pair.output,
        status: { ...status, exit_status: exitStatus },
      };
    }),
  }),
  process_calls: async (input, place) => {
    const shared = Object.values<Json>(input.tools ?? {}).find((stub) => stub?.return_agent?.answers)?.return_agent;
    if (shared) return { outputs: contents(await callOneAgent(input.calls, [...shared.answers], place)) };
    const jobsFile = input.save_file ? inboxPaths(input.save_file).jobs : undefined;
    let seen: string[] | null = null;
    const look = async () => {
      if (jobsFile) seen = await linesOf(jobsFile);
    };
    const registry = await Promise.all(
      Object.entries<Json>(input.tools ?? {}).map(([name, stub]) =>
        stub.return_agent
          ? agentTool(name, stub.return_agent)
          : stub.return_job?.status === 'pending'
            ? pendingTool(name, stub.return_job, place, look)
            : stubTool(name, stub),
      ),
    );
    const round = await runCalls(
      input.calls.map((call: unknown) => parseCall(call) ?? call),
      registry,
      {
        now: () => new Date(),
        maxContentLength: input.max_content_length,
        toolContext: input.save_file ? { chatFile: input.save_file } : {},
      },
    );
    return {
      roles: [...round.calls, ...round.outputs].map(({ role }) => role),
      calls: contents(round.calls),
      outputs: contents(round.outputs),
      jobs_file_during: seen,
      jobs_file_after: jobsFile ? await linesOf(jobsFile) : null,
    };
  },
  tool_definition: ({ name, description, properties = {}, required, defaults, envelope = true }) => ({
    definition: toolDefinition(
      {
        name,
        description,
        parameters: {
          type: 'object',
          properties,
          ...(required ? { required } : {}),
          ...(defaults ? { defaults } : {}),
        },
      },
      { envelope },
    ),
  }),
};
