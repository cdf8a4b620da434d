import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { authorizePath } from './authorize-path.js';
import { parseInfo } from './info.js';
import type { Job, JobProgress, Step } from './job.js';
import type { JobLog } from './job-log.js';
import { filesPath } from './job-paths.js';
import type { PlannedJob } from './plan.js';
import { storedFields } from './request-context.js';
import { badInfoError, outsideFilesError, unknownDependencyError } from './run-errors.js';

/** What a run hands to its step. */
export type StepParts = {
  log: JobLog;
  signal: AbortSignal;
  temporaryPath: string;
  onProgress: (progress: JobProgress) => void;
};

const fileOf = async (job: PlannedJob, name: string): Promise<string> => {
  const folder = filesPath(job.path);
  await mkdir(folder, { recursive: true });
  const place = await authorizePath(name, { root: folder, base: folder, mode: 'write' });
  if (name === '' || name.startsWith('/') || !place.allowed) throw outsideFilesError(job.shortPath, name);
  await mkdir(dirname(place.path), { recursive: true });
  return place.path;
};

/** Throws where values can't stand in an `.info`: then none of what comes later could be written, how the job ended among it. */
const checkInfo = (job: string, values: Record<string, unknown>): void => {
  let text: string;
  try {
    text = JSON.stringify(values);
  } catch (cause) {
    throw badInfoError(job, (cause as Error).message, cause);
  }
  const [warning] = parseInfo(text).warnings;
  if (warning) throw badInfoError(job, warning.message);
};

/** What a task's function gets beside its inputs. */
export const makeStep = (job: PlannedJob, { log, signal, temporaryPath, onProgress }: StepParts): Step => {
  const { path, shortPath, workflow, task, name, inputs, plan } = job;
  const named = (dependency: string): Job | Job[] => {
    const found = Object.hasOwn(job.dependencies, dependency) ? job.dependencies[dependency] : undefined;
    if (found) return found;
    const known = Object.keys(job.dependencies).join(', ') || 'none';
    throw unknownDependencyError(shortPath, dependency, `is not in \`needs\`, which has ${known}`);
  };
  return {
    path,
    shortPath,
    workflow,
    task,
    name,
    inputs,
    signal,
    temporaryPath,
    services: plan.context.services ?? {},
    requestContext: storedFields(log.info()['request_context']) ?? {},
    dependency: (dependency) => {
      const found = named(dependency);
      if (!Array.isArray(found)) return found;
      throw unknownDependencyError(shortPath, dependency, `is a list of ${found.length} jobs; ask for dependencyList`);
    },
    dependencyList: (dependency) => [named(dependency)].flat(),
    file: (file) => fileOf(job, file),
    log: (message) => log.message(message),
    setInfo: async (values) => {
      checkInfo(shortPath, values);
      await log.set(values);
    },
    progress: onProgress,
    job: (otherWorkflow, otherTask, given = {}, options = {}) =>
      plan.createJob(otherWorkflow, otherTask, given, options),
  };
};
