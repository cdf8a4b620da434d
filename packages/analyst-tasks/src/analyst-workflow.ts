import { task as defineJob, defineWorkflow, type Task, type Workflow } from '@colophon/workflow';
import { inputOf, runTask } from './run-task.js';
import type { AnalystContext, AnalystTask } from './task.js';
import { tasks } from './tasks.js';

// What is reported depends on what is on disk, so that no report stands for a later one.
const toJob = (task: AnalystTask, context: () => AnalystContext): Task =>
  defineJob({
    description: task.description,
    input: inputOf(task),
    type: task.name === 'extract_chat_range' ? 'text' : 'json',
    fresh: true,
    readOnly: task.writes !== true,
    destructive: false,
    run: (inputs, { signal }) => runTask(task.name, inputs, { ...context(), signal }, tasks),
  });

/** The tasks as a workflow called `Analyst`, so that chats and agents have them as jobs: `tool: Analyst`. */
export const analystWorkflow = (context: () => AnalystContext): Workflow =>
  defineWorkflow({
    name: 'Analyst',
    title: 'Reports on persisted sessions',
    description:
      'What happened in a session, what it cost and where each answer came from, read from the files that it left. Start with chat_report.',
    tasks: Object.fromEntries(Object.values(tasks).map((task) => [task.name, toJob(task, context)])),
  });
