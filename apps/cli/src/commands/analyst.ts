import { inputOf, type Reports, tasks } from '@colophon/analyst-tasks';
import { ColophonError } from '@colophon/chat-format';
import { createColors } from 'picocolors';
import { z } from 'zod';
import { runAnalyst } from '../analyst-run.js';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { readInputFlags } from '../read-inputs.js';
import { reportPage, showReport } from '../show-report.js';
import { twoColumns } from '../two-columns.js';
import { jsonOption } from '../write-result.js';

const name = 'analyst';

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/[.:]$/, '') ?? text;

const listTasks = (json: boolean, { stdout }: MachineContext): void => {
  const list = Object.values(tasks).map(({ name: task, description, input }) => ({
    name: task,
    description,
    inputs: z.toJSONSchema(input, { io: 'input' }),
  }));
  const shown = list.map(({ name: task, description }) => [task, firstSentence(description)] as const);
  stdout.line(json ? JSON.stringify(list, null, 2) : twoColumns(shown));
};

export const command = defineCommand({
  name,
  description:
    'Report on a persisted session: what happened, what it cost, where each answer came from. Reads the files that the session left; only post_inbox_advice writes. Without a task the tasks are listed. Inputs of a task are flags behind it; what is not a terminal gets JSON.',
  arguments: [
    { name: 'TASK', description: 'one of the tasks', optional: true, choices: Object.keys(tasks) },
    { name: 'FILE', description: 'a chat, a name in chats/, or the result of a job', optional: true, complete: 'chat' },
  ],
  takesFlags: true,
  options: [jsonOption, { name: 'table', description: 'print tables, also where nobody looks at a terminal' }],
  examples: [
    ['colophon analyst chat_report session.chat', 'the whole session on one screen'],
    ['colophon analyst chat_tokens session.chat --json', 'each paid inference with its evidence'],
    ['colophon analyst chat_tool_calls session.chat --tool ask --follow job,log', 'with inputs of the task'],
  ],
  run: async ({ words: [word, file], options, flags }, context) => {
    const { stdout } = context;
    if (word === undefined) return listTasks(options.json === true, context);
    const task = tasks[word]!;
    if (file === undefined) throw usageError(`FILE is missing: the chat or job that ${task.name} reports on`, name);
    const schema = z.toJSONSchema(inputOf(task), { io: 'input' });
    const given = readInputFlags(flags, schema, name);
    const report = await runAnalyst<Reports[keyof Reports]>(task.name, { ...given, file }, context).catch(
      (error: unknown) => {
        throw error instanceof ColophonError && error.code === 'invalid_input'
          ? usageError(error.message, name)
          : error;
      },
    );
    const tables = options.table === true || (stdout.isTerminal && options.json !== true);
    const page = reportPage(stdout.columns, context, createColors(stdout.color).dim);
    if (tables) stdout.line(showReport(task.name as keyof Reports, report, page));
    else stdout.line(typeof report === 'string' && options.json !== true ? report : JSON.stringify(report, null, 2));
  },
});
