import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { clearMark, markAborted } from './abort-job.js';
import type { Job } from './job.js';
import { loadResult } from './load-result.js';
import { takeLock } from './lock.js';
import { dependenciesOf, type PlannedJob } from './plan.js';
import { produce } from './produce.js';
import { readJob } from './read-job.js';
import { resultTypes } from './result-types.js';
import { abortedError, jobRunningError, toError } from './run-errors.js';
import { hasResult, removeJob, writeInfo } from './store.js';
import { watchFolder } from './wait-for-change.js';

type Verbs = Pick<Job, 'run' | 'join' | 'load' | 'stream' | 'read' | 'clean' | 'recursiveClean' | 'abort'>;

const read = ({ path, plan: { context } }: PlannedJob) => {
  const { jobs, jobRoots = [], host, isAlive, now } = context;
  return readJob(path, { roots: [jobs, ...jobRoots], host, isAlive, now });
};

const load = ({ path, type, name, plan: { context } }: PlannedJob) =>
  loadResult({ path, type, name, status: 'not known' }, context.resultTypes ?? resultTypes);

/** Waits until a job has ended, whoever runs it. Throws what made it fail. */
const join = async (job: PlannedJob, { signal }: { signal?: AbortSignal } = {}): Promise<void> => {
  const changes = watchFolder(job.path);
  try {
    for (;;) {
      if (await hasResult(job.path)) return;
      const { status, exception, running } = await read(job);
      if ((status === 'error' || status === 'aborted') && !running)
        throw exception ? toError(exception) : new Error(`${job.shortPath} has the status ${status}`);
      await changes.next(signal);
    }
  } finally {
    changes.close();
  }
};

/** The file that the result stands in, or is being written to. */
const openResult = async (job: PlannedJob) => {
  const opened = await open(job.path).catch(() => undefined);
  if (opened) return opened;
  const { info } = await read(job);
  const growing = info['temporary_path'];
  const isOurs = typeof growing === 'string' && dirname(growing) === dirname(job.path);
  return isOurs ? open(growing).catch(() => undefined) : undefined;
};

async function* stream(job: PlannedJob): AsyncGenerator<Uint8Array, void, undefined> {
  const changes = watchFolder(job.path);
  try {
    let file = await openResult(job);
    while (!file) {
      const { status, exception, running } = await read(job);
      if ((status === 'error' || status === 'aborted') && !running)
        throw exception ? toError(exception) : new Error(`${job.shortPath} has the status ${status}`);
      await changes.next();
      file = await openResult(job);
    }
    try {
      const buffer = new Uint8Array(65_536);
      for (;;) {
        // A file that was renamed stays the same file: what is done is read to its end.
        const whole = await hasResult(job.path);
        const { bytesRead } = await file.read(buffer, 0, buffer.length);
        if (bytesRead > 0) yield buffer.slice(0, bytesRead);
        else if (whole) return;
        else {
          const { status, exception, running } = await read(job);
          if ((status === 'error' || status === 'aborted') && !running)
            throw exception ? toError(exception) : new Error(`${job.shortPath} has the status ${status}`);
          await changes.next();
        }
      }
    } finally {
      await file.close();
    }
  } finally {
    changes.close();
  }
}

/** Removes a job's files, unless somebody runs it. */
const clean = async (job: PlannedJob): Promise<void> => {
  const record = await read(job);
  if (!record.done && record.status === 'noinfo' && !record.running) return removeJob(job.path);
  const hold = await takeLock(job.path, job.plan.context);
  if (!hold) throw jobRunningError(job.shortPath, 'cleaned', record.info.pid, record.info.pid_hostname);
  try {
    await removeJob(job.path);
  } finally {
    await hold.release();
  }
};

const recursiveClean = async (job: PlannedJob): Promise<void> => {
  const order: PlannedJob[] = [];
  const seen = new Set<string>([job.path]);
  const open = [job];
  for (let one = open.pop(); one; one = open.pop()) {
    order.push(one);
    for (const needed of dependenciesOf(one)) {
      if (seen.has(needed.path)) continue;
      seen.add(needed.path);
      open.push(needed);
    }
  }
  for (const one of order.reverse()) await clean(one);
};

/** Stops a job where it runs; one whose process is dead is recorded as aborted. */
const abort = async (job: PlannedJob, reason = 'abort was asked for'): Promise<void> => {
  const { context } = job.plan;
  const changes = watchFolder(job.path);
  try {
    for (let marked = false; ; marked = true) {
      const record = await read(job);
      const started = record.status === 'start' || record.status === 'streaming' || record.status === 'setup';
      if (record.done || !started) break;
      if (!record.running && record.info.pid_hostname === context.host) {
        const hold = await takeLock(job.path, context);
        if (hold) {
          const { name, message } = abortedError(job.shortPath, reason);
          const info = {
            ...record.info,
            status: 'aborted',
            end: context.now().toISOString(),
            exception: { name, message },
          };
          await writeInfo(job.path, info, context.randomId()).finally(() => hold.release());
          break;
        }
      }
      if (!marked) await markAborted(job.path, reason);
      await changes.next();
    }
  } finally {
    changes.close();
    await clearMark(job.path);
  }
};

/** What can be done with a job. */
export const jobVerbs = (self: () => PlannedJob): Verbs => ({
  run: async (options) => {
    const [outcome] = await produce([self()], options);
    if (outcome?.exception) throw toError(outcome.exception);
    return load(self());
  },
  join: (options) => join(self(), options),
  load: () => load(self()),
  stream: () => stream(self()),
  read: () => read(self()),
  clean: () => clean(self()),
  recursiveClean: () => recursiveClean(self()),
  abort: (reason) => abort(self(), reason),
});
