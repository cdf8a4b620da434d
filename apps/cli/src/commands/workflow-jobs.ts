import { listJobs, statuses } from '@colophon/workflow';
import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import { readOptions } from '../read-named-job.js';
import { jobState, jobTime, printInputs, printSpan } from '../show-job.js';
import { renderTable } from '../table.js';
import { jobFolders } from '../workflow-context.js';
import { jsonOption } from '../write-result.js';

export const command = defineCommand({
  name: 'workflow jobs',
  description:
    'List the jobs that are kept in `var/jobs` of the roots, with their state, age and inputs. Nothing is run or changed.',
  arguments: [
    {
      name: 'WORKFLOW',
      description: 'only jobs of this workflow, or of Workflow/task',
      optional: true,
      complete: 'workflow',
    },
    { name: 'TASK', description: 'only jobs of this task', optional: true, complete: 'task' },
  ],
  options: [
    {
      name: 'status',
      value: 'STATUS',
      many: true,
      choices: [...statuses, 'running', 'failed'],
      description: 'only jobs in this state; failed: error or aborted',
    },
    jsonOption,
  ],
  examples: [
    ['colophon workflow jobs', 'all jobs'],
    ['colophon workflow jobs Kitchen bake --status failed', 'those of a task that failed'],
    ['colophon workflow jobs --json | jq -r .[].path', 'their paths'],
  ],
  run: async ({ words, options }, context) => {
    const [workflow, task] = words.length === 1 ? words[0]!.split('/') : words;
    const { stdout, stderr, now } = context;
    const wanted = options.status?.flatMap((status) => (status === 'failed' ? ['error', 'aborted'] : [status]));
    const found = [];
    const chosen = { ...(workflow === undefined ? {} : { workflow }), ...(task === undefined ? {} : { task }) };
    for await (const record of listJobs(jobFolders(context), { ...chosen, ...(await readOptions(context)) })) {
      context.signal.throwIfAborted();
      if (!wanted || wanted.includes(jobState(record))) found.push(record);
    }
    if (options.json) return stdout.line(JSON.stringify(found, null, 2));
    if (found.length > 0) {
      const rows = found.map((record) => {
        const time = jobTime(record);
        return [
          record.shortPath,
          jobState(record),
          time === undefined ? '' : printSpan(now().getTime() - time),
          printInputs(record),
        ];
      });
      stdout.line(
        renderTable(['JOB', 'STATUS', 'AGE', 'INPUTS'], rows, { right: [2], paint: createColors(stdout.color).dim }),
      );
    }
    stderr.line(`${found.length} job${found.length === 1 ? '' : 's'}`);
  },
});
