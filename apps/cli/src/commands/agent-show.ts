import { type Preview, previewRequest } from '@colophon/backends';
import { ColophonError, printChat } from '@colophon/chat-format';
import { visibleText } from '@colophon/provenance';
import { createColors } from 'picocolors';
import { withAgents } from '../agent-context.js';
import { askContext } from '../ask-context.js';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { openSources } from '../tool-sources.js';
import { wrap } from '../two-columns.js';
import { jsonOption } from '../write-result.js';

type Tools = { tools: Preview['tools'] } | { problem: string };

// A backend that is asked nothing: what is shown needs no key.
const nobody = { name: 'nobody', reply: () => ({ messages: [], calls: [] }) };

/** The tools that a conversation with it would begin with, where they can be loaded without running what is not the person's own. */
const toolsOf = async (agent: string, machine: MachineContext): Promise<Tools> => {
  const sources = openSources(machine, 'read');
  try {
    const asking = { ...askContext(machine, sources.sources), policy: 'read' as const };
    const context = withAgents(asking, sources, machine);
    const { tools } = await previewRequest('hello', { agent, backend: nobody, context });
    return { tools };
  } catch (error) {
    if (!(error instanceof ColophonError)) throw error;
    return { problem: error.message };
  } finally {
    await sources.close();
  }
};

const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s|\n/)[0] ?? '';

const visibleLines = (text: string): string => text.split('\n').map(visibleText).join('\n');

const showTools = (found: Tools, { stdout, log }: MachineContext) => {
  if ('problem' in found) return log('warn', `its tools can't be shown: ${found.problem}`);
  if (found.tools.length === 0) return stdout.line('no tools');
  const { dim } = createColors(stdout.color);
  const rows = found.tools.map(({ name, description }) => [name, visibleText(firstSentence(description))]);
  stdout.line(renderTable(['TOOL', 'WHAT IT DOES'], rows, { paint: dim }));
};

export const command = defineCommand({
  name: 'agent show',
  description:
    'Show what an agent is made of: its folder, its parts, how a conversation with it starts, and the tools that it has. Nothing is asked or written.',
  arguments: [{ name: 'NAME', description: 'the agent, or the path of its folder', complete: 'agent' }],
  options: [jsonOption],
  examples: [
    ['colophon agent show Cook', 'what it is told, and what it can do'],
    ['colophon agent show ./Agent/Cook --json', 'for a program'],
  ],
  run: async ({ words: [name = ''], options }, context) => {
    const { loadAgent } = await import('@colophon/agent');
    const definition = await loadAgent(name, context);
    const found = await toolsOf(name, context);
    const { stdout } = context;
    if (options.json) return stdout.line(JSON.stringify({ ...definition, ...found }, null, 2));
    const { bold, dim } = createColors(stdout.color);
    const { path, workflow, knowledgeBase, start } = definition;
    stdout.line(`${bold(definition.name)}  ${dim(path === undefined ? '' : shownPath(path, context))}`);
    if (workflow !== undefined) stdout.line(`workflow ${shownPath(workflow, context)}`);
    if (knowledgeBase !== undefined) stdout.line(`knowledge base ${shownPath(knowledgeBase, context)}`);
    if (start.length > 0) stdout.line(`\n${visibleLines(printChat(start).trimEnd())}\n`);
    else stdout.line(wrap('no start chat: its workflow introduces itself', stdout.columns).join('\n'));
    showTools(found, context);
  },
});
