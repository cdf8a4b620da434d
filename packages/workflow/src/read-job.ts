import { lstat, readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { findJob } from './find-job.js';
import type { JobInfo, JobRecord, JobWarning } from './job.js';
import { sanitizeName } from './job-name.js';
import { filesPath, infoPath, lockPath, lockStale, shortPath, splitJobPath } from './job-paths.js';
import { codeOf, isMissing, readInfo } from './read-info.js';
import { jobPathError } from './record-errors.js';
import { resultTypes } from './result-types.js';
import type { Inputs } from './workflow.js';

/**
 * What reading a job may use. `roots`: where its dependencies are looked for, as `findJob` has them. `host`, `isAlive`, `now`:
 * what tells whether it is running; without all three it never is. `files`: list the names below `.files/`.
 */
export type ReadJobOptions = {
  roots?: readonly string[];
  host?: string;
  isAlive?: (pid: number) => boolean;
  now?: () => Date;
  files?: boolean;
};

/** Inputs by name: those that are recorded by name and, over them, those in the order of their names. */
const inputsOf = (info: JobInfo, address: string): { inputs: Inputs; warnings: JobWarning[] } => {
  const { inputs = [], input_names: names = [], provided_inputs: provided = {} } = info;
  const named = names.slice(0, inputs.length).map((name, index): [string, unknown] => [name, inputs[index]]);
  const message = `It has ${inputs.length} inputs and ${names.length} names of inputs: those that have both were read.`;
  return {
    inputs: Object.fromEntries([...named, ...Object.entries(provided).filter(([name]) => !names.includes(name))]),
    warnings: inputs.length === names.length ? [] : [{ code: 'info_inputs', message, address }],
  };
};

const extensionOf = (name: string, type: string | undefined): string => {
  const known = Object.entries(resultTypes).map(([key, { extension }]) => ({ key, extension }));
  const own = known.find(({ key }) => key === type)?.extension;
  return [own, ...known.map(({ extension }) => extension)].find((one) => one && name.endsWith(one)) ?? '';
};

/** What is recorded as the job's name; else the file name without the digest and what follows it, or without the extension of its type. */
const cleanNameOf = (name: string, { clean_name: recorded, job_name: given, type }: JobInfo): string => {
  if (typeof recorded === 'string' && recorded !== '') return recorded;
  if (typeof given === 'string' && given !== '') return sanitizeName(given);
  const [, named] = /^(.+)_[a-z0-9]{32}(?:\.[A-Za-z0-9]+)?$/s.exec(name) ?? [];
  if (named !== undefined) return named;
  const extension = extensionOf(name, type);
  return name.length > extension.length ? name.slice(0, name.length - extension.length) : name;
};

const ended = new Set(['done', 'error', 'aborted', 'cleaned']);

const isRunning = async (path: string, info: JobInfo, { host, isAlive, now }: ReadJobOptions): Promise<boolean> => {
  const { status, pid, pid_hostname: recorded } = info;
  if (pid === undefined || recorded === undefined || recorded !== host || !isAlive || !now) return false;
  if (status !== undefined && ended.has(status)) return false;
  if (!isAlive(pid)) return false;
  const lock = await lstat(lockPath(path)).catch(() => undefined);
  return lock !== undefined && now().getTime() - lock.mtimeMs < lockStale;
};

const listFiles = async (folder: string): Promise<{ files: string[]; warnings: JobWarning[] }> => {
  const files: string[] = [];
  const warnings: JobWarning[] = [];
  const open = [''];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    const place = join(folder, below);
    const entries = await readdir(place, { withFileTypes: true }).catch(codeOf);
    if ('code' in entries) {
      if (entries.code !== 'ENOENT')
        warnings.push({ code: 'files_unreadable', message: `It can't be listed: ${entries.code}.`, address: place });
      continue;
    }
    for (const entry of entries) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) open.push(name);
      else files.push(name);
    }
  }
  return { files: files.sort(), warnings };
};

/**
 * Reads a persisted job, given by the absolute path of its result: what is there, and warnings for what is damaged or missing.
 * Runs nothing and changes nothing. A job that is not there is one with the status `noinfo`. Throws `job_path` where the path is
 * not absolute.
 */
export const readJob = async (path: string, options: ReadJobOptions = {}): Promise<JobRecord> => {
  if (!isAbsolute(path) || path.includes('\0')) throw jobPathError(path);
  const result = normalize(path);
  const { info, warnings, broken } = await readInfo(result);
  const found = await stat(result).catch(codeOf);
  const done = !('code' in found) && found.isFile();
  const why = 'code' in found ? (isMissing(found) ? undefined : found.code) : done ? undefined : 'it is no file';
  if (why !== undefined)
    warnings.push({ code: 'result_unreadable', message: `It can't be read: ${why}.`, address: result });
  const given = inputsOf(info, infoPath(result));
  const dependencies: string[] = [];
  for (const reference of info.dependencies ?? []) {
    const where = await findJob(reference, { roots: options.roots ?? [], referrer: result });
    dependencies.push(where ?? reference);
    if (where === undefined)
      warnings.push({
        code: 'dependency_missing',
        message: `The dependency ${reference} is not there.`,
        address: `${infoPath(result)}#dependencies`,
      });
  }
  const listed = options.files ? await listFiles(filesPath(result)) : undefined;
  const split = splitJobPath(result);
  return {
    path: result,
    shortPath: shortPath(result),
    workflow: info.workflow || split.workflow,
    task: info.task_name || split.task,
    name: split.name,
    cleanName: cleanNameOf(split.name, info),
    ...(info.type === undefined ? {} : { type: info.type }),
    status: info.status || (done && !broken ? 'done' : 'noinfo'),
    running: await isRunning(result, info, options),
    done,
    inputs: given.inputs,
    dependencies,
    messages: info.messages ?? [],
    ...(info.exception === undefined ? {} : { exception: info.exception }),
    info,
    ...(listed === undefined ? {} : { files: listed.files }),
    warnings: [...warnings, ...given.warnings, ...(listed?.warnings ?? [])],
  };
};
