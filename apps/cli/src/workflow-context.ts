import { join } from 'node:path';
import { chatResultType, toWorkflows, type Workflows } from '@colophon/chat-compile';
import type { WorkflowContext } from '@colophon/workflow';
import type { MachineContext } from './context.js';
import { stateRoot } from './state-root.js';

/** The `var/jobs` folders of this machine: the one that new jobs are written to, then all others. */
export const jobFolders = (context: Pick<MachineContext, 'roots' | 'userRoot'>): [string, ...string[]] => {
  const roots = [stateRoot(context), ...context.roots.map(({ path }) => path)];
  return [...new Set(roots.map((root) => join(root, 'var', 'jobs')))] as [string, ...string[]];
};

/** The workflow that comes with the program; one of a person that has its name stands before it. */
const analyst = async (context: MachineContext) => {
  const [{ analystWorkflow }, { analystContext }] = await Promise.all([
    import('@colophon/analyst-tasks'),
    import('./analyst-run.js'),
  ]);
  return analystWorkflow(() => analystContext(context));
};

/** Packages of this program that a person's workflow may import. */
export const programModules = { '@colophon/agent': () => import('@colophon/agent') };

// What an agent opens for a job ends with it.
const openAgents = async (context: MachineContext) => {
  const { openAgentContext } = await import('./agent-context.js');
  return openAgentContext(context);
};

const make = async (context: MachineContext): Promise<WorkflowContext> => {
  const [{ resultTypes }, { nodeContext }] = await Promise.all([
    import('@colophon/workflow'),
    import('@colophon/workflow/node'),
  ]);
  const { environment, roots, userRoot, now, log } = context;
  const [jobs, ...jobRoots] = jobFolders(context);
  const made = nodeContext({
    roots: roots.map(({ path }) => path),
    jobs,
    resultTypes: { ...resultTypes, chat: chatResultType },
    environment,
    cacheFolder: join(userRoot, 'var', 'cache', 'workflows'),
    modules: programModules,
    services: { agents: () => openAgents(context) },
    now,
    log: (line) => log('debug', line),
  });
  const findWorkflow = async (name: string) => {
    const found = await made.findWorkflow(name);
    return found === undefined && name === 'Analyst' ? analyst(context) : found;
  };
  return { ...made, jobRoots, findWorkflow };
};

const made = new WeakMap<MachineContext, Promise<WorkflowContext>>();

/**
 * What workflows and jobs take from this machine: one for a run, so that each workflow is loaded once. Workflows are searched in the
 * roots; results of type `chat` are messages.
 */
export const workflowContext = (context: MachineContext): Promise<WorkflowContext> => {
  const known = made.get(context) ?? make(context);
  made.set(context, known);
  return known;
};

/** The engine of the directives of chats, which loads nothing before one is met. */
export const workflowsOf = (context: MachineContext): Workflows => {
  let engine: Promise<Workflows> | undefined;
  const load = (): Promise<Workflows> => {
    engine ??= workflowContext(context).then(toWorkflows);
    return engine;
  };
  return {
    job: async (...words) => (await load()).job(...words),
    load: async (...words) => (await load()).load(...words),
    produce: async (...words) => (await load()).produce(...words),
    execute: async (...words) => (await load()).execute(...words),
  };
};
