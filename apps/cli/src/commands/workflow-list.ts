import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

export const command = defineCommand({
  name: 'workflow list',
  description:
    'List the workflows that are found by name: those in `workflows/` and `Agent/` of the roots. No code runs: titles come from the text beside a workflow.',
  options: [jsonOption],
  examples: [
    ['colophon workflow list', 'what there is, and where it comes from'],
    ['colophon workflow list --json | jq -r .[].name', 'their names'],
  ],
  run: async ({ options }, context) => {
    const { listWorkflows } = await import('@colophon/workflow');
    const found = await listWorkflows({ roots: context.roots.map(({ path }) => path) });
    const { stdout, stderr } = context;
    if (options.json) return stdout.line(JSON.stringify(found, null, 2));
    if (found.length === 0)
      return stderr.line('no workflow is found: a workflow Kitchen stands in workflows/Kitchen/workflow.ts');
    const rows = found.map(({ name, title = '', file, shadowed }) => [
      name,
      title,
      `${shownPath(file, context)}${shadowed ? ' (an earlier one has its name)' : ''}`,
    ]);
    stdout.line(renderTable(['WORKFLOW', 'TITLE', 'FROM'], rows, { paint: createColors(stdout.color).dim }));
  },
});
