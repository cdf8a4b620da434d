import type { Command } from './command.js';

/** A command as the top level knows it: enough to list it and to load it, nothing that costs at start-up. */
export type TableEntry = { name: string; summary: string; hidden?: true; load: () => Promise<{ command: Command }> };

/** Every command, in the order of the help. Two words: a command of a group. */
export const commandTable: readonly TableEntry[] = [
  { name: 'ask', summary: 'Ask a question, or go on with a chat file', load: () => import('./commands/ask.js') },
  {
    name: 'agent ask',
    summary: 'Ask an agent, or go on with it in a chat file',
    load: () => import('./commands/agent-ask.js'),
  },
  { name: 'agent list', summary: 'List the agents that are found', load: () => import('./commands/agent-list.js') },
  { name: 'agent show', summary: 'Show what an agent is made of', load: () => import('./commands/agent-show.js') },
  { name: 'chat print', summary: 'Print a chat as chat text', load: () => import('./commands/chat-print.js') },
  { name: 'chat json', summary: 'Print the messages of a chat as JSON', load: () => import('./commands/chat-json.js') },
  { name: 'chat md', summary: 'Print the conversation as Markdown', load: () => import('./commands/chat-md.js') },
  {
    name: 'chat compile',
    summary: 'Print the chat that a chat file compiles to',
    load: () => import('./commands/chat-compile.js'),
  },
  {
    name: 'chat check',
    summary: 'Report what is wrong with chat files',
    load: () => import('./commands/chat-check.js'),
  },
  {
    name: 'chat fork',
    summary: 'Start a new chat from a message of another',
    load: () => import('./commands/chat-fork.js'),
  },
  {
    name: 'workflow list',
    summary: 'List the workflows that are found',
    load: () => import('./commands/workflow-list.js'),
  },
  {
    name: 'workflow info',
    summary: 'Show a workflow, a task or a job',
    load: () => import('./commands/workflow-info.js'),
  },
  {
    name: 'workflow run',
    summary: 'Run a task and print its result',
    load: () => import('./commands/workflow-run.js'),
  },
  { name: 'workflow jobs', summary: 'List the jobs that are kept', load: () => import('./commands/workflow-jobs.js') },
  { name: 'workflow clean', summary: 'Remove jobs', load: () => import('./commands/workflow-clean.js') },
  {
    name: 'prov',
    summary: 'Show what a chat or job came from, and what it cost',
    load: () => import('./commands/prov.js'),
  },
  {
    name: 'analyst',
    summary: 'Report on a persisted session',
    load: () => import('./commands/analyst.js'),
  },
  {
    name: 'inbox',
    summary: 'Show or leave notes for a running chat',
    load: () => import('./commands/inbox.js'),
  },
  { name: 'live', summary: 'Watch a running session, advise it or stop it', load: () => import('./commands/live.js') },
  { name: 'simulate', summary: 'Compare prompt strategies on a chat', load: () => import('./commands/simulate.js') },
  { name: 'mcp', summary: 'Serve workflows as tools over MCP', load: () => import('./commands/mcp.js') },
  { name: 'relay', summary: 'Ask providers for other machines', load: () => import('./commands/relay.js') },
  {
    name: 'endpoints',
    summary: 'List the endpoints and where they come from',
    load: () => import('./commands/endpoints.js'),
  },
  { name: 'config', summary: 'Show or change the configuration', load: () => import('./commands/config.js') },
  { name: 'cache', summary: 'List or clear the kept answers', load: () => import('./commands/cache.js') },
  { name: 'doctor', summary: 'Check the installation', load: () => import('./commands/doctor.js') },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    load: () => import('./commands/completion.js'),
  },
  { name: 'demo', summary: 'Watch a session end to end, without any key', load: () => import('./commands/demo.js') },
  {
    name: 'complete',
    summary: 'Print what may stand for the last word',
    hidden: true,
    load: () => import('./commands/complete.js'),
  },
];

/** What is said of a group of commands in the list. */
export const groups: Readonly<Record<string, string>> = {
  agent: 'Ask agents, and see what they are made of',
  chat: 'Convert, check and fork chat files',
  workflow: 'Run tasks, and look after their jobs',
};

/** The commands that help and completion tell of. */
export const listedCommands = commandTable.filter(({ hidden }) => !hidden);
