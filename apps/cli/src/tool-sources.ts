import { join } from 'node:path';
import { createJobsFiles } from '@colophon/backends';
import { findFile, type Policy } from '@colophon/chat-compile';
import { ColophonError } from '@colophon/chat-format';
import type { Tool, ToolSources, WorkflowTools, WorkflowToolsOptions } from '@colophon/tools';
import type { Workflow } from '@colophon/workflow';
import manifest from '../package.json' with { type: 'json' };
import { compileContext } from './compile-context.js';
import type { MachineContext } from './context.js';
import { stateRoot } from './state-root.js';
import { watchJobs } from './watch-jobs.js';
import { workflowContext } from './workflow-context.js';

/** The engines behind the tools that chats declare, and the end of what they opened. */
export type OpenSources = {
  sources: ToolSources;
  /** The tools of a workflow that the person names, as a chat's `tool:` would give them. */
  named: (name: string) => Promise<readonly Tool[]>;
  /** The tasks of a workflow that was loaded, under the same limit. */
  workflowTools: (workflow: Workflow) => Promise<WorkflowTools>;
  close: () => Promise<void>;
};

/** Makes a thing when it is first asked for. */
const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      made ??= make();
      return made;
    },
    opened: (): Promise<T | undefined> => made?.catch(() => undefined) ?? Promise.resolve(undefined),
  };
};

const refuseToStart = (name: string): never => {
  throw new ColophonError(
    'not_allowed',
    `the MCP server ${name} is a program, and nothing is started by what only shows; ask, or take the line out`,
  );
};

const openClients = async (context: MachineContext, policy: Policy) => {
  const [{ createMcpClients }, { mcpConfig }] = await Promise.all([
    import('@colophon/tools/mcp'),
    import('./mcp-config.js'),
  ]);
  const { names, settings } = mcpConfig(context);
  return createMcpClients({
    clientInfo: { name: manifest.name, version: manifest.version },
    environment: context.environment,
    workingDirectory: context.workingDirectory,
    names,
    settings: (server) => {
      const found = settings(server);
      if (policy === 'read' && server.kind === 'named' && found?.command !== undefined) refuseToStart(server.name);
      return found;
    },
    signal: context.signal,
    onWarning: (text) => context.log('warn', `colophon: ${text}`),
    onStderr: (line, server) => context.log('debug', `${server}: ${line}`),
  });
};

const openKnowledgeBases = async (context: MachineContext, policy: Policy) => {
  const { createKnowledgeBases } = await import('@colophon/tools/knowledge-base');
  const { roots, signal, log } = context;
  const mayWrite = policy === 'run';
  return createKnowledgeBases({
    roots: roots.map(({ path }) => path),
    readOnlyRoots: roots.filter(({ writable }) => !(writable && mayWrite)).map(({ path }) => path),
    ...(mayWrite ? { cacheFolder: join(stateRoot(context), 'var', 'cache', 'knowledge_base') } : {}),
    writable: mayWrite,
    resolvePath: (path, message, kind) => findFile(path, compileContext(context), { message, kind }),
    signal,
    onProgress: ({ message }) => log('debug', message),
    onWarning: ({ message }) => log('warn', `colophon: ${message}`),
  });
};

// One limit for the jobs of all tools of a run.
const openJobTools = async (onWait: WorkflowToolsOptions['onWait']): Promise<WorkflowToolsOptions> => {
  const { defaultConcurrency, limitEngine } = await import('@colophon/workflow');
  return { engine: limitEngine(defaultConcurrency), ...(onWait ? { onWait } : {}) };
};

/**
 * The tool engines of this machine for one run, each opened when a chat first needs it: workflows of the roots, MCP servers with what
 * `etc/mcp.json` says of them, knowledge bases. Jobs of all tools share one limit. Close them when the run is over: that waits
 * for jobs that are being stopped, and ends the programs of servers.
 */
export const openSources = (context: MachineContext, policy: Policy = 'run'): OpenSources => {
  const clients = once(() => openClients(context, policy));
  const bases = once(() => openKnowledgeBases(context, policy));
  const jobs = watchJobs(createJobsFiles().waitForJob);
  const jobTools = once(() => openJobTools(jobs.onWait));
  const toTools = async (workflow: Workflow): Promise<WorkflowTools> => {
    const [{ workflowTools }, jobs] = await Promise.all([import('@colophon/tools'), workflowContext(context)]);
    return workflowTools(workflow, jobs, await jobTools.get());
  };
  return {
    sources: {
      workflow: async (name) => {
        const workflow = await (await workflowContext(context)).findWorkflow(name);
        return workflow && toTools(workflow);
      },
      mcp: async (server) => (await clients.get()).tools(server),
      knowledgeBase: async (...words) => (await bases.get()).knowledgeBase(...words),
      association: async (...words) => (await bases.get()).association(...words),
    },
    named: async (name) => (await import('./named-tools.js')).namedTools(name, context, await jobTools.get()),
    workflowTools: toTools,
    close: async () => {
      await jobs.ended();
      (await bases.opened())?.close();
      await (await clients.opened())?.close();
    },
  };
};
