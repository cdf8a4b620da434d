import type { Job, JobRecord, ResultTypes, WorkflowContext } from '@colophon/workflow';
import { chatResultType } from './chat-result-type.js';
import type { JobHandle, Workflows } from './context.js';
import { lostJobError, unknownJobError } from './errors.js';

const engine = () => import('@colophon/workflow');

/** The states that `JobHandle.status` tells apart: a job without its result is not done, whatever its `.info` says. */
const stateOf = ({ done, status, exception }: JobRecord): { status: string; exception?: string } => {
  if (done && status !== 'error') return { status: 'done' };
  return {
    status: status === 'done' ? 'done without a result' : status,
    ...(exception === undefined ? {} : { exception: exception.message }),
  };
};

const givenInputs = ({ info, inputs }: JobRecord): Record<string, unknown> => info.provided_inputs ?? inputs;

/** The paths of all jobs below one, nearest first; each once, and each read once. */
const dependenciesBelow = async (path: string, read: (path: string) => Promise<JobRecord>): Promise<string[]> => {
  const seen = new Set<string>([path]);
  for (const next of seen) for (const below of (await read(next)).dependencies) seen.add(below);
  return [...seen].slice(1);
};

/**
 * The workflow engine for compiling, over `@colophon/workflow`. Persisted jobs are found by path or short path, below the context's jobs
 * folders; reading one, also a chat, runs nothing. Results of type `chat` are messages.
 *
 * @throws ColophonError `unknown_job` where no job is there, `lost_job` where one that would have to run can't be made again; and what
 * making and running jobs throws.
 */
export const toWorkflows = (context: WorkflowContext): Workflows => {
  const roots = [context.jobs, ...(context.jobRoots ?? [])];
  const { host, isAlive, now } = context;
  const created = new WeakMap<JobHandle, Job>();

  const withChats = async (): Promise<WorkflowContext & { resultTypes: ResultTypes }> => {
    const { resultTypes } = await engine();
    return { ...context, resultTypes: { ...resultTypes, ...context.resultTypes, chat: chatResultType } };
  };
  const read = async (path: string): Promise<JobRecord> =>
    (await engine()).readJob(path, { roots, host, isAlive, now });

  const toHandle = (facts: Pick<JobHandle, 'path' | 'shortPath' | 'workflow' | 'task' | 'inputs'>): JobHandle => ({
    ...facts,
    status: async () => stateOf(await read(facts.path)),
    load: async () => {
      const { loadResult } = await engine();
      return loadResult(await read(facts.path), (await withChats()).resultTypes);
    },
    dependencies: () => dependenciesBelow(facts.path, read),
  });

  const create: (
    ...of: [
      workflow: string,
      task: string,
      inputs: Record<string, unknown>,
      name: string | undefined,
      requestContext?: Record<string, unknown>,
    ]
  ) => Promise<Job> = async (workflow, task, inputs, name, requestContext) => {
    const { createJob } = await engine();
    return createJob(workflow, task, inputs, {
      ...(name === undefined ? {} : { jobName: name }),
      context: { ...(await withChats()), ...(requestContext ? { requestContext } : {}) },
    });
  };

  // A job that another run left unfinished is made again from what is recorded; it must be the same one.
  const recreate = async ({ path }: JobHandle): Promise<Job> => {
    const record = await read(path);
    const { job_name: given } = record.info;
    const make = (name: string | undefined) => create(record.workflow, record.task, givenInputs(record), name);
    const job = await make(typeof given === 'string' ? given : undefined);
    if (job.shortPath === record.shortPath) return job;
    // Other writers record no name.
    const named = await make(record.cleanName);
    if (named.shortPath !== record.shortPath) throw lostJobError(path, job.path);
    return named;
  };

  return {
    job: async (workflow, task, inputs, { name, requestContext }) => {
      const job = await create(workflow, task, inputs, name, requestContext);
      const { path, shortPath, provided } = job;
      const handle = toHandle({ path, shortPath, workflow: job.workflow, task: job.task, inputs: provided });
      created.set(handle, job);
      return handle;
    },
    load: async (reference) => {
      const { findJob } = await engine();
      const path = await findJob(reference, { roots });
      if (path === undefined) throw unknownJobError(reference, roots);
      const record = await read(path);
      const { shortPath, workflow, task } = record;
      return toHandle({ path, shortPath, workflow, task, inputs: givenInputs(record) });
    },
    produce: async (handles, { signal }) => {
      const { produce } = await engine();
      const jobs = await Promise.all(handles.map((handle) => created.get(handle) ?? recreate(handle)));
      await produce(jobs, signal ? { signal } : {});
    },
    execute: async (workflow, task, inputs, { signal }) => {
      const { executeTask } = await engine();
      return executeTask(workflow, task, inputs, { context: await withChats(), ...(signal ? { signal } : {}) });
    },
  };
};
