import { readFile } from 'node:fs/promises';
import { ColophonError } from '@colophon/chat-format';
import {
  createJob,
  inputSchema,
  type Job,
  produce,
  type StoredException,
  type WorkflowContext,
} from '@colophon/workflow';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { needWorkflow } from '../need-workflow.js';
import { asUsage, readInputFlags, toFlag } from '../read-inputs.js';
import { showJobs } from '../show-jobs.js';
import type { Flag } from '../split-flags.js';
import { workflowContext } from '../workflow-context.js';
import { jsonOption } from '../write-result.js';

const name = 'workflow run';

const toCause = ({ name: kind, message, cause }: StoredException): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause: toCause(cause) }), { name: kind });

const jobFailed = ({ shortPath }: Job, status: string, { message, cause }: StoredException): ColophonError =>
  new ColophonError(
    'job_failed',
    `${shortPath} ${status === 'aborted' ? 'was stopped' : 'failed'}: ${message}`,
    cause === undefined ? {} : { cause: toCause(cause) },
  );

const makeJob = async (
  [workflowName, task]: readonly string[],
  flags: readonly Flag[],
  { jobName, update }: { jobName: string | undefined; update: boolean },
  context: MachineContext,
): Promise<Job> => {
  const [workflow, jobs] = [await needWorkflow(workflowName!, context), await workflowContext(context)];
  try {
    const schema = await inputSchema(workflow, task!, jobs.findWorkflow);
    const inputs = readInputFlags(flags, schema, name);
    const make = (context: WorkflowContext) => createJob(workflow, task!, inputs, { jobName, context });
    const job = await make(jobs);
    // What stands in other folders is only read: a job that is to be run again is made in ours.
    return update && !job.path.startsWith(`${jobs.jobs}/`) ? await make({ ...jobs, jobRoots: [] }) : job;
  } catch (error) {
    throw asUsage(error, name);
  }
};

/** The bytes of a result as they are kept; text ends with a line end on a terminal. */
const writeResultOf = async ({ path, type }: Job, { stdout }: MachineContext): Promise<void> => {
  const bytes = await readFile(path);
  if (type === 'binary' && stdout.isTerminal)
    throw new ColophonError('binary_result', `the result is no text; it is the file ${path}`);
  stdout.write(bytes);
  if (type !== 'binary' && bytes.at(-1) !== 0x0a) stdout.write('\n');
};

const readConcurrency = (text: string | undefined): { concurrency?: number } => {
  if (text === undefined) return {};
  const concurrency = Number(text);
  if (!(Number.isInteger(concurrency) && concurrency > 0))
    throw usageError(`--concurrency ${text}: expected a number of jobs, 1 or more`, name);
  return { concurrency };
};

export const command = defineCommand({
  name,
  description:
    'Run a task and print its result. Its inputs are flags, typed as the task says (`workflow info WORKFLOW TASK` lists them); they stand behind the task. A job that is done is not run again: its result is printed at once. What the task needs is run first, side by side where it can be. Ctrl-C stops the jobs that run; what is done stays done.',
  arguments: [
    { name: 'WORKFLOW', description: 'the workflow', complete: 'workflow' },
    { name: 'TASK', description: 'its task; behind it --NAME VALUE for each input', complete: 'task' },
  ],
  takesFlags: true,
  options: [
    { name: 'input', value: 'NAME=VALUE', many: true, description: 'an input, where an option has its name' },
    { name: 'jobname', value: 'NAME', description: 'name of the job; Default otherwise' },
    { name: 'path', description: 'print the path of the result, not the result' },
    { name: 'update', description: 'run it again although it is done, and all that it needs' },
    { name: 'concurrency', value: 'N', description: 'jobs that run at the same time' },
    { ...jsonOption, description: 'print {path, inputs, result, …} as JSON' },
  ],
  examples: [
    [
      'colophon workflow run Kitchen serve --flour 500 --minutes 30',
      'a task with its inputs, and those of what it needs',
    ],
    ['colophon workflow run Kitchen bake --flour 500 --path', 'where the result is kept'],
    ['colophon workflow run Kitchen bake --input flour=500 --jobname sunday', 'under a name of its own'],
  ],
  run: async ({ words, options, flags }, context) => {
    const concurrency = readConcurrency(options.concurrency);
    const given = [...flags, ...(options.input ?? []).map((word) => toFlag(word, name))];
    const job = await makeJob(words, given, { jobName: options.jobname, update: options.update === true }, context);
    const shown = showJobs(context);
    const produced = await produce([job], {
      ...concurrency,
      ...(options.update ? { update: true } : {}),
      signal: context.signal,
      onProgress: shown.onProgress,
    }).finally(shown.end);
    for (const { status, exception } of produced) if (exception) throw jobFailed(job, status, exception);
    const { path, shortPath, inputs } = job;
    const { stdout } = context;
    if (options.json) {
      const result = job.type === 'binary' ? undefined : await job.load();
      return stdout.line(JSON.stringify({ path, shortPath, inputs, type: job.type, result }, null, 2));
    }
    if (options.path) return stdout.line(path);
    await writeResultOf(job, context);
  },
});
