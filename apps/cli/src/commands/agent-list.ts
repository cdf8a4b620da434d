import { createColors } from 'picocolors';
import { partNames } from '../agent-parts.js';
import { defineCommand } from '../command.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

export const command = defineCommand({
  name: 'agent list',
  description:
    'List the agents that are found by name, with what each is made of and where it comes from. Nothing is loaded.',
  options: [jsonOption],
  examples: [
    ['colophon agent list', 'who can be asked'],
    ['colophon agent list --json | jq -r .[].name', 'their names'],
  ],
  run: async ({ options }, context) => {
    const { listAgents } = await import('@colophon/agent');
    const found = await listAgents(context);
    const { stdout, stderr } = context;
    if (options.json) return stdout.line(JSON.stringify(found, null, 2));
    if (found.length === 0)
      return stderr.line('no agent is found: an agent Cook is a folder Agent/Cook with a start_chat');
    const rows = found.map(({ name, path, parts }) => [name, partNames(parts).join(', '), shownPath(path, context)]);
    stdout.line(renderTable(['AGENT', 'MADE OF', 'FROM'], rows, { paint: createColors(stdout.color).dim }));
  },
});
