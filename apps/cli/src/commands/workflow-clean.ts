import { ColophonError } from '@colophon/chat-format';
import { cleanPersisted, type JobRecord, listJobs, readJob } from '@colophon/workflow';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { findNamedJob, readOptions } from '../read-named-job.js';
import { jobState } from '../show-job.js';
import { jobFolders, workflowContext } from '../workflow-context.js';
import { jsonOption } from '../write-result.js';

const name = 'workflow clean';

const isFailed = (record: JobRecord): boolean => ['error', 'aborted'].includes(jobState(record));

/** A job of a folder that may not be written is never touched. */
const isOurs = (path: string, { roots, userRoot }: MachineContext): boolean => {
  const below = (root: string) => path.startsWith(`${root}/`);
  return !roots.some(({ path: root, writable }) => !writable && below(root)) || below(userRoot);
};

/** The jobs that a word names: one by its path or short path, or all of `Workflow` or `Workflow/task`. */
const namedJobs = async (word: string, context: MachineContext): Promise<{ records: JobRecord[]; one: boolean }> => {
  const options = await readOptions(context);
  const [workflow, task, ...more] = word.split('/');
  if (/^[^./~]/.test(word) && more.length === 0) {
    const records: JobRecord[] = [];
    const chosen = { workflow: workflow!, ...(task === undefined ? {} : { task }) };
    for await (const record of listJobs(jobFolders(context), { ...chosen, ...options })) records.push(record);
    if (records.length > 0) return { records: records.filter(({ path }) => isOurs(path, context)), one: false };
  }
  return { records: [await readJob(await findNamedJob(word, context), options)], one: true };
};

const withDependencies = async (records: readonly JobRecord[], context: MachineContext): Promise<JobRecord[]> => {
  const options = await readOptions(context);
  const found = new Map(records.map((record) => [record.path, record]));
  for (const record of found.values())
    for (const path of record.dependencies)
      if (!found.has(path) && isOurs(path, context)) found.set(path, await readJob(path, options));
  return [...found.values()];
};

const confirmed = async (records: readonly JobRecord[], { stdin, stderr, log }: MachineContext): Promise<boolean> => {
  for (const record of records.slice(0, 20)) log('info', `  ${record.shortPath}  ${jobState(record)}`);
  if (records.length > 20) log('info', `  … and ${records.length - 20} more`);
  if (!stdin.isTTY || !stderr.isTerminal)
    throw usageError(`this removes ${records.length} jobs, more than were named: add --yes to do so`, name);
  const { confirm, isCancel } = await import('@clack/prompts');
  const yes = await confirm({ message: `Remove these ${records.length} jobs?`, initialValue: false });
  return !isCancel(yes) && yes;
};

export const command = defineCommand({
  name,
  description:
    'Remove jobs: their results, records and files. A job is named by its path or short path; `Workflow` or `Workflow/task` names all of theirs. Where more would be removed than was named one by one it is asked first, and elsewhere than on a terminal `--yes` is needed. Jobs that run, and those of roots that are only read, are left alone.',
  arguments: [{ name: 'JOB', description: 'a job, a workflow or Workflow/task', optional: true, many: true }],
  options: [
    { name: 'recursive', short: 'r', description: 'with all that they depend on' },
    { name: 'failed', description: 'only those that failed or were aborted; of all jobs where none is named' },
    { name: 'yes', short: 'y', description: 'do not ask' },
    { ...jsonOption, description: 'print {removed, left} as JSON' },
  ],
  examples: [
    ['colophon workflow clean Kitchen/bake/Default', 'one job'],
    ['colophon workflow clean --failed --yes', 'all that failed'],
    ['colophon workflow clean Kitchen/serve --recursive', 'all jobs of a task, with what they depend on'],
  ],
  run: async ({ words, options }, context) => {
    if (words.length === 0 && !options.failed)
      throw usageError('name jobs to remove, or give --failed for all that failed', name);
    const named: { records: JobRecord[]; one: boolean }[] = [];
    for (const word of words) named.push(await namedJobs(word, context));
    if (words.length === 0) {
      const records: JobRecord[] = [];
      for await (const record of listJobs(jobFolders(context), await readOptions(context)))
        if (isOurs(record.path, context)) records.push(record);
      named.push({ records, one: false });
    }
    const foreign = named.flatMap(({ records }) => records).find(({ path }) => !isOurs(path, context));
    if (foreign)
      throw new ColophonError(
        'read_only',
        `${foreign.path} is in a root that is only read; remove it by hand if it must go`,
      );
    const chosen = named.flatMap(({ records }) => records).filter((record) => !options.failed || isFailed(record));
    const whole = options.recursive
      ? await withDependencies(chosen, context)
      : [...new Map(chosen.map((record) => [record.path, record])).values()];
    const oneByOne = named.filter(({ one }) => one).length;
    const jobs = await workflowContext(context);
    const running = whole.filter((record) => record.running);
    const going = whole.filter((record) => !record.running);
    if (going.length > oneByOne && !options.yes && !(await confirmed(going, context))) return 1;
    for (const { path } of going) {
      context.signal.throwIfAborted();
      await cleanPersisted(path, jobs);
    }
    for (const { shortPath } of running) context.log('warn', `${shortPath} runs and is left alone; stop it first`);
    const shortPaths = (records: readonly JobRecord[]) => records.map(({ shortPath }) => shortPath);
    if (options.json)
      context.stdout.line(JSON.stringify({ removed: shortPaths(going), left: shortPaths(running) }, null, 2));
    else context.stderr.line(`removed ${going.length} job${going.length === 1 ? '' : 's'}`);
    return running.length > 0 ? 1 : 0;
  },
});
