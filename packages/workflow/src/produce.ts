import { ancestors } from './ancestry.js';
import { localEngine } from './engine.js';
import { toStoredException } from './exception.js';
import type { Engine, Job, ProgressEvent, RunOptions, StoredException } from './job.js';
import { jobPath } from './job-paths.js';
import type { Outcome } from './outcome.js';
import { dependenciesOf, type PlannedJob, planned } from './plan.js';
import { recordDependencyFailure, recursiveFailure } from './record-failure.js';
import { runElsewhere } from './run-elsewhere.js';
import { abortedError, badOptionError, outsideJobsError } from './run-errors.js';
import { runJob } from './run-job.js';
import { hasResult } from './store.js';

/** Jobs that run at the same time, unless told otherwise. */
export const defaultConcurrency = 8;

/** How a job of `produce` ended; without an exception it has a result. */
export type Produced = { job: Job; status: 'done' | 'error' | 'aborted'; reused: boolean; exception?: StoredException };

/** A job in the graph. `waiting`: dependencies that have not ended; `failed`: a dependency that has no result and is not allowed to. */
type Node = {
  job: PlannedJob;
  waiting: number;
  dependents: Node[];
  again: boolean;
  outcome?: Outcome;
  failed?: { path: string; exception: StoredException };
};

// Looks at the disk that are on their way at the same time.
const looks = 64;

const eachOf = async <T>(list: readonly T[], width: number, action: (one: T) => Promise<void>): Promise<void> => {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < list.length; index = next++) await action(list[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(width, list.length) }, work));
};

/**
 * The jobs that have to be looked at, each once: those that are asked for and, of each without a result, those that it needs. Level by
 * level; linear in jobs and dependencies.
 */
const buildGraph = async (jobs: readonly PlannedJob[], update: boolean): Promise<Map<string, Node>> => {
  const nodes = new Map<string, Node>();
  const enter = (job: PlannedJob, again: boolean): [Node, boolean] => {
    const known = nodes.get(job.path);
    if (known) return [known, false];
    const node: Node = { job, waiting: 0, dependents: [], again: again || job.plan.definition.fresh === true };
    nodes.set(job.path, node);
    return [node, true];
  };
  let level = jobs.map((job) => enter(job, update)).flatMap(([node, isNew]) => (isNew ? [node] : []));
  while (level.length > 0) {
    const unfinished: Node[] = [];
    await eachOf(level, looks, async (node) => {
      if (!node.again && (await hasResult(node.job.path))) node.outcome = { status: 'done', reused: true };
    });
    for (const node of level) if (!node.outcome) unfinished.push(node);
    level = [];
    for (const node of unfinished)
      for (const needed of new Set(dependenciesOf(node.job))) {
        const [dependency, isNew] = enter(needed, false);
        dependency.dependents.push(node);
        node.waiting += 1;
        if (isNew) level.push(dependency);
      }
  }
  return nodes;
};

/** Jobs that are ready, in the order in which they became so; `width` of them run at a time. */
const schedule = async (
  nodes: ReadonlyMap<string, Node>,
  width: number,
  run: (node: Node) => Promise<Outcome>,
  settled: (node: Node) => void,
): Promise<void> => {
  const ready: Node[] = [];
  let next = 0;
  let running = 0;
  const settle = (node: Node): void => {
    settled(node);
    const exception = node.outcome?.status === 'done' ? undefined : node.outcome?.exception;
    for (const dependent of node.dependents) {
      if (exception && !dependent.job.plan.optional.has(node.job.path))
        dependent.failed ??= { path: node.job.shortPath, exception };
      dependent.waiting -= 1;
      if (dependent.waiting === 0) ready.push(dependent);
    }
  };
  await new Promise<void>((resolve, reject) => {
    const advance = (): void => {
      while (running < width && next < ready.length) {
        const node = ready[next++]!;
        running += 1;
        run(node)
          .then((outcome) => {
            node.outcome = outcome;
            running -= 1;
            settle(node);
            advance();
          })
          .catch(reject);
      }
      if (running === 0 && next === ready.length) resolve();
    };
    for (const node of nodes.values()) if (node.waiting === 0 && !node.outcome) ready.push(node);
    for (const node of nodes.values()) if (node.outcome) settle(node);
    advance();
  });
};

const eventOf = ({ job, outcome }: Node): ProgressEvent => {
  if (!outcome || outcome.status === 'aborted') return { kind: 'aborted', job };
  return outcome.status === 'done'
    ? { kind: outcome.reused ? 'reused' : 'done', job }
    : { kind: 'error', job, exception: outcome.exception };
};

const runNode = async (
  node: Node,
  engine: Engine,
  options: RunOptions,
  tell: (event: ProgressEvent) => void,
): Promise<Outcome> => {
  const { job, failed, again } = node;
  const signal = options.signal ?? new AbortController().signal;
  // Nothing is written for what has not begun.
  if (signal.aborted)
    return { status: 'aborted', exception: toStoredException(abortedError(job.shortPath, signal.reason)) };
  if (ancestors().has(job.path)) return recursiveFailure(job);
  if (again && job.path !== jobPath(job.plan.context.jobs, job))
    return { status: 'error', exception: toStoredException(outsideJobsError(job.path, job.plan.context.jobs)) };
  if (failed) return recordDependencyFailure(job, failed);
  const run = {
    signal,
    again,
    retry: options.retry,
    onStart: () => tell({ kind: 'start', job }),
    onRetry: (exception: StoredException, attempt: number, delay: number) =>
      tell({ kind: 'retry', job, exception, attempt, delay }),
    onProgress: (progress: { message?: string; done?: number; total?: number }) =>
      tell({ kind: 'progress', job, progress }),
  };
  if (engine === localEngine) return runJob(job, run);
  return runElsewhere(job, engine, run);
};

/**
 * Produces jobs and all that they need: each once, as many at a time as `concurrency` allows, dependencies first. A job that has a result
 * is reused, at the cost of one look, unless its task is `fresh` or `update` is set (for the jobs that are asked for). Other runs of
 * the same job, in this process or another, are waited for. A job that fails is recorded and fails what needs it; nothing rejects but wrong
 * use. Linear in jobs and dependencies; nothing is polled.
 *
 * @throws ColophonError `foreign_job`, `bad_option`.
 */
export const produce = async (jobs: readonly Job[], options: RunOptions = {}): Promise<Produced[]> => {
  const asked = jobs.map(planned);
  const { engine = localEngine, onProgress, update = false, concurrency = defaultConcurrency, retry = 0 } = options;
  if (!(concurrency >= 1)) throw badOptionError('concurrency', concurrency, 'a number of jobs, 1 or more');
  if (!(retry >= 0)) throw badOptionError('retry', retry, 'a number of further tries, 0 or more');
  const tell = (event: ProgressEvent): void => {
    try {
      onProgress?.(event);
    } catch {
      // A listener that fails is none of the jobs' concern.
    }
  };
  const nodes = await buildGraph(asked, update);
  await schedule(
    nodes,
    Math.floor(concurrency),
    (node) =>
      runNode(node, engine, options, tell).catch(
        (error): Outcome => ({ status: 'error', exception: toStoredException(error) }),
      ),
    (node) => tell(eventOf(node)),
  );
  return asked.map((job) => {
    const outcome = nodes.get(job.path)!.outcome!;
    return outcome.status === 'done'
      ? { job, status: 'done', reused: outcome.reused }
      : { job, status: outcome.status, reused: false, exception: outcome.exception };
  });
};
