import type { JobHandle, Workflows } from '@colophon/chat-compile';

type Run = (inputs: Record<string, unknown>) => unknown;
type Job = JobHandle & { state: { status: string; exception?: string }; result?: unknown };

/**
 * An engine whose jobs live in memory: `tasks` by `Workflow/task`, `needs` from short path to short paths. `log` says what was
 * asked of it; a result that is text also lies in `tree` under the job's path.
 */
export const memoryEngine = (
  tasks: Record<string, Run>,
  { tree = {}, needs = {} }: { tree?: Record<string, string>; needs?: Record<string, string[]> } = {},
): Workflows & { log: string[] } => {
  const jobs = new Map<string, Job>();
  const log: string[] = [];
  const runOf = (workflow: string, task: string): Run => {
    const run = tasks[`${workflow}/${task}`];
    if (!run) throw new Error(`no task ${workflow}/${task}`);
    return run;
  };
  const make = (workflow: string, task: string, inputs: Record<string, unknown>, name: string): Job => {
    const shortPath = `${workflow}/${task}/${name}`;
    const job: Job = {
      path: `/jobs/${shortPath}`,
      shortPath,
      workflow,
      task,
      inputs,
      state: { status: 'waiting' },
      status: async () => job.state,
      load: async () => job.result,
      dependencies: async () => (needs[shortPath] ?? []).map((path) => `/jobs/${path}`),
    };
    jobs.set(job.path, job);
    return job;
  };
  return {
    log,
    job: async (workflow, task, inputs, { name }) => {
      runOf(workflow, task);
      log.push(`job ${workflow}/${task}`);
      const digest = Object.keys(inputs).length > 0 ? `_${JSON.stringify(inputs)}` : '';
      return make(workflow, task, inputs, `${name ?? 'Default'}${digest}`);
    },
    load: async (path) => {
      const full = path.startsWith('/') ? path : `/jobs/${path}`;
      const job = jobs.get(full);
      if (job) return job;
      const [workflow = '', task = '', name = ''] = full.slice('/jobs/'.length).split('/');
      runOf(workflow, task);
      return make(workflow, task, {}, name);
    },
    produce: async (given, { signal }) => {
      log.push(`produce ${given.map(({ shortPath }) => shortPath).join(' ')}`);
      for (const handle of given) {
        signal?.throwIfAborted();
        const job = jobs.get(handle.path) as Job;
        try {
          job.result = runOf(job.workflow, job.task)(job.inputs);
          job.state = { status: 'done' };
          if (typeof job.result === 'string') tree[job.path] = job.result;
        } catch (error) {
          job.state = { status: 'error', exception: (error as Error).message };
        }
      }
    },
    execute: async (workflow, task, inputs) => {
      log.push(`execute ${workflow}/${task}`);
      return runOf(workflow, task)(inputs);
    },
  };
};
