import { isDelegationTool } from '../delegations.js';
import { badInput } from '../errors.js';

/** Kinds of work that tools do, in the order in which a tool is given to one. */
export const groupNames = [
  'analysis',
  'search',
  'discover',
  'read',
  'write',
  'execute',
  'delegate',
  'communicate',
  'other',
] as const;
export type ToolGroup = (typeof groupNames)[number];

/** Names of tools by their group; a `*` at the end stands for any ending. */
export type ToolGroups = Partial<Record<ToolGroup, readonly string[]>>;

const defaults: ToolGroups = {
  analysis: ['think*', 'analy*', 'chat_*', 'reason*', 'plan*'],
  search: ['search*', 'grep*', 'find*', 'rg', 'web_search*', 'websearch*', 'query*', '*_search'],
  discover: ['ls', 'list*', 'glob*', 'tree', 'directory*', 'discover*'],
  read: ['read*', 'cat', 'open*', 'view*', 'fetch*', 'get*', 'load*', 'head', 'tail'],
  write: [
    'write*',
    'edit*',
    'create*',
    'save*',
    'append*',
    'patch*',
    'apply_patch',
    'delete*',
    'move*',
    'str_replace*',
  ],
  execute: ['bash', 'sh', 'shell*', 'exec*', 'run*', 'cmd', 'python*', 'node', 'test*'],
  delegate: ['ask', 'cortex_*', 'hand_off_to_*', 'delegate*'],
  communicate: ['send*', 'post*', 'notify*', 'reply*', 'mail*', 'message*'],
};

const matches = (pattern: string, tool: string): boolean =>
  pattern.endsWith('*')
    ? tool.startsWith(pattern.slice(0, -1))
    : pattern.startsWith('*')
      ? tool.endsWith(pattern.slice(1))
      : tool === pattern;

const isGroup = (name: string): name is ToolGroup => (groupNames as readonly string[]).includes(name);

/** Reads `search=search,grep*;read=cat`. Throws `invalid_input` for a group that there is not. */
export const parseGroups = (profile: string | undefined): ToolGroups => {
  const own: ToolGroups = {};
  for (const part of (profile ?? '').split(';').filter((text) => text.trim() !== '')) {
    const [name = '', tools = ''] = part.split('=').map((text) => text.trim());
    if (!isGroup(name))
      throw badInput(
        'chat_timeline',
        `\`groups\`: unknown group ${JSON.stringify(name)}; there are ${groupNames.join(', ')}`,
      );
    own[name] = tools.split(',').flatMap((tool) => (tool.trim() === '' ? [] : [tool.trim()]));
  }
  return own;
};

/** The group of a tool: the first that names it, those that were asked for before the usual ones. */
export const groupOf = (tool: string, own: ToolGroups): ToolGroup => {
  const named = (groups: ToolGroups) =>
    groupNames.find((group) => groups[group]?.some((pattern) => matches(pattern, tool)));
  return named(own) ?? (isDelegationTool(tool) ? 'delegate' : undefined) ?? named(defaults) ?? 'other';
};
