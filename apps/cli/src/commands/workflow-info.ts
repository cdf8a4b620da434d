import type { JobRecord, Task, Workflow, WorkflowContext } from '@colophon/workflow';
import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { describeInputs, describeNeeds, type InputFacts } from '../describe-task.js';
import { usageError } from '../errors.js';
import { nearest } from '../near.js';
import { needWorkflow } from '../need-workflow.js';
import { readNamedJob } from '../read-named-job.js';
import { jobState, jobTime, printSpan } from '../show-job.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { wrap } from '../two-columns.js';
import { workflowContext } from '../workflow-context.js';
import { jsonOption } from '../write-result.js';

const firstSentence = (text = ''): string => text.split(/(?<=[.!?])\s|\n/)[0] ?? '';

const printDefault = ({ required, default: standard }: InputFacts): string =>
  required ? 'required' : standard === undefined ? '' : JSON.stringify(standard);

const printTypes = ({ types, choices }: InputFacts): string =>
  choices ? choices.map(String).join(' | ') : types.join(' | ') || 'any';

const isOffered = ({ exported }: Workflow, task: string): boolean =>
  !exported || exported.length === 0 || exported.includes(task);

const taskFacts = async (workflow: Workflow, name: string, { findWorkflow }: WorkflowContext) => {
  const task = workflow.tasks[name] as Task;
  const { description, type, fresh, retry, timeLimit, program } = task;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    type,
    needs: describeNeeds(task),
    exported: isOffered(workflow, name),
    ...(fresh ? { fresh } : {}),
    ...(retry ? { retry } : {}),
    ...(timeLimit ? { timeLimit } : {}),
    ...(program ? { program } : {}),
    inputs: await describeInputs(workflow, name, findWorkflow),
  };
};

type TaskFacts = Awaited<ReturnType<typeof taskFacts>>;

const showTask = (
  workflow: Workflow,
  { name, description = '', type, needs, inputs }: TaskFacts,
  { stdout }: MachineContext,
) => {
  const { bold, dim } = createColors(stdout.color);
  stdout.line(`${bold(`${workflow.name} ${name}`)}  ${dim(`gives ${type}`)}`);
  if (description) stdout.line(wrap(description, Math.min(100, stdout.columns)).join('\n'));
  if (needs.length > 0) stdout.line(`needs ${needs.join(', ')}`);
  if (inputs.length === 0) return stdout.line('takes no input');
  const rows = inputs.map((input) => [
    `--${input.name}`,
    printTypes(input),
    printDefault(input),
    input.from === undefined ? '' : `of ${input.from}`,
    firstSentence(input.description),
  ]);
  stdout.line();
  stdout.line(renderTable(['INPUT', 'TYPE', 'DEFAULT', '', ''], rows, { paint: dim }));
};

const showWorkflow = (workflow: Workflow, tasks: readonly TaskFacts[], context: MachineContext) => {
  const { stdout } = context;
  const { bold, dim } = createColors(stdout.color);
  const { name, title, description, file } = workflow;
  stdout.line(`${bold(name)}${title ? `  ${title}` : ''}`);
  if (description)
    stdout.line(
      description
        .split('\n')
        .map((line) => wrap(line, Math.min(100, stdout.columns)).join('\n'))
        .join('\n'),
    );
  if (file) stdout.line(dim(shownPath(file, context)));
  const rows = tasks.map((task) => [
    task.name,
    task.type,
    task.needs.join(', '),
    `${firstSentence(task.description)}${task.exported ? '' : ' (not offered as a tool)'}`,
  ]);
  stdout.line();
  stdout.line(renderTable(['TASK', 'GIVES', 'NEEDS', ''], rows, { paint: dim }));
};

const showRecord = (record: JobRecord, context: MachineContext) => {
  const { stdout } = context;
  const { bold, dim, red } = createColors(stdout.color);
  const { path, shortPath, type, inputs, dependencies, messages, exception, info, files = [], warnings } = record;
  const time = jobTime(record);
  const age = time === undefined ? '' : `, ${printSpan(context.now().getTime() - time)} ago`;
  const took = typeof info.time_elapsed === 'number' ? `, took ${printSpan(info.time_elapsed * 1000)}` : '';
  stdout.line(`${bold(shortPath)}  ${jobState(record)}${age}${took}`);
  stdout.line(dim(shownPath(path, context)));
  if (type) stdout.line(`type ${type}`);
  for (const [name, value] of Object.entries(inputs)) stdout.line(`input ${name} = ${JSON.stringify(value)}`);
  for (const dependency of dependencies) stdout.line(`needs ${shownPath(dependency, context)}`);
  const failure = exception && `${exception.name}: ${exception.message}`;
  for (const message of messages) if (message !== failure) stdout.line(`message ${message}`);
  if (failure) stdout.line(red(failure));
  for (const file of files) stdout.line(`file ${file}`);
  for (const { message, address } of warnings) context.log('warn', `${shownPath(address, context)}: ${message}`);
};

const needTask = (workflow: Workflow, task: string): void => {
  if (Object.hasOwn(workflow.tasks, task)) return;
  const names = Object.keys(workflow.tasks);
  const near = nearest(task, names);
  throw usageError(
    `${workflow.name} has no task ${task}${near ? `; did you mean ${near}?` : `; it has ${names.join(', ')}`}`,
    'workflow info',
  );
};

export const command = defineCommand({
  name: 'workflow info',
  description:
    'Show a workflow with its tasks, a task with its inputs, or a job with what is recorded of it. A job is named by its path or short path (Workflow/task/name), a task also as Workflow/task. Nothing runs but the file of the workflow, which defines it.',
  arguments: [
    { name: 'NAME', description: 'a workflow, or a job', complete: 'workflow' },
    { name: 'TASK', description: 'a task of the workflow', optional: true, complete: 'task' },
  ],
  options: [jsonOption],
  examples: [
    ['colophon workflow info Kitchen', 'its tasks'],
    ['colophon workflow info Kitchen bake', 'what bake takes'],
    ['colophon workflow info Kitchen/bake/Default', 'what is recorded of a job'],
  ],
  run: async ({ words, options }, context) => {
    const { stdout } = context;
    const [given = ''] = words;
    const parts = given.split('/');
    if (words.length === 1 && parts.length > 1) {
      // Workflow/task, as other commands take it, where no job is of that name.
      const none = (error: unknown) => {
        if (parts.length !== 2) throw error;
      };
      const record = await readNamedJob(given, context, { files: true }).catch(none);
      if (record && options.json) return stdout.line(JSON.stringify(record, null, 2));
      if (record) return showRecord(record, context);
    }
    const [name, task] = words.length === 1 ? parts : words;
    const [workflow, jobs] = [await needWorkflow(name!, context), await workflowContext(context)];
    if (task !== undefined) {
      needTask(workflow, task);
      const facts = await taskFacts(workflow, task, jobs);
      if (options.json) stdout.line(JSON.stringify(facts, null, 2));
      else showTask(workflow, facts, context);
      return;
    }
    const tasks = await Promise.all(Object.keys(workflow.tasks).map((one) => taskFacts(workflow, one, jobs)));
    const { title, description, file } = workflow;
    if (options.json) stdout.line(JSON.stringify({ name: workflow.name, title, description, file, tasks }, null, 2));
    else showWorkflow(workflow, tasks, context);
  },
});
