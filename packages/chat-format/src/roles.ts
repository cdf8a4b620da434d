/** What kind of thing a role is. All but `conversation`, `tools` and `evidence` are directives. */
export type RoleGroup =
  | 'conversation'
  | 'tools'
  | 'evidence'
  | 'options'
  | 'imports'
  | 'clearing'
  | 'config'
  | 'tasks'
  | 'jobs'
  | 'files'
  | 'declarations';

/** One role: what it is for, whether the model sees a message of it, and the compile stage that consumes it. */
export type Role = { group: RoleGroup; purpose: string; visible: boolean; stage: string | null };

const role = (group: RoleGroup, stage: string | null, purpose: string, visible = false): Role => ({
  group,
  purpose,
  visible,
  stage,
});

/** The known roles, in the order of the documentation. Any other role is legal and passes untouched. */
export const roles: Readonly<Record<string, Role>> = {
  system: role('conversation', null, 'instructions to the model', true),
  user: role('conversation', null, 'what a person says', true),
  assistant: role('conversation', null, 'what the model answers', true),

  function_call: role('tools', null, 'a call that the model asks for, as JSON', true),
  function_call_output: role('tools', null, 'the result of a call, as JSON', true),
  mcp_call: role('tools', null, 'a call that the provider made on an MCP server, as JSON', true),

  meta: role('evidence', null, 'tokens, ids and job references of an inference'),
  previous_response_id: role('evidence', 'clean', 'where the provider goes on from'),

  option: role('options', 'options', 'an option for the next answer'),
  sticky_option: role('options', 'options', 'an option for all answers from here on'),
  endpoint: role('options', 'options', 'the endpoint to ask'),
  model: role('options', 'options', 'the model to ask'),
  backend: role('options', 'options', 'the backend to ask by'),
  agent: role('options', 'options', 'the agent that answers'),
  persist: role('options', 'options', 'whether answers are cached'),
  format: role('options', 'options', 'the shape of the answer: json, or the file of a schema'),

  import: role('imports', 'imports', 'a whole chat, put here'),
  continue: role('imports', 'imports', 'the last non-empty message of a chat, put here'),
  last: role('imports', 'imports', 'the last message of a chat, put here'),

  clear: role('clearing', 'clear', 'drops everything before it'),
  clear_tools: role('clearing', 'clear', 'drops the calls and outputs before it'),
  clean_role: role('clearing', 'clear', 'names a role to drop'),
  clear_role: role('clearing', 'clear', 'names a role to drop'),
  skip: role('clearing', 'clean', 'a note that the model does not see'),

  config: role('config', 'config', 'sets a configuration entry: key, value, tokens'),

  task: role('tasks', 'tasks', 'a workflow task, run as a job and shown as a call'),
  inline_task: role('tasks', 'tasks', 'a workflow task, run as a job and shown as a file'),
  exec_task: role('tasks', 'tasks', 'a workflow task, run at once and shown as user text'),

  job: role('jobs', 'jobs', 'a job, shown as a call and its output'),
  inline_job: role('jobs', 'jobs', 'a job, its result shown as a file'),

  file: role('files', 'files', 'a text file'),
  directory: role('files', 'files', 'the files below a folder'),
  image: role('files', 'files', 'an image', true),
  pdf: role('files', 'files', 'a PDF document', true),
  step: role('files', 'files', 'the answer of a dependency of the last job'),
  allow_path: role('files', 'files', 'a path that tools may write'),
  allow_read_path: role('files', 'files', 'a path that tools may read'),

  tool: role('declarations', 'tools', 'tools for the model: a workflow and its tasks'),
  introduce: role('declarations', 'tools', 'the documentation of a workflow, without its tools'),
  mcp: role('declarations', 'tools', 'the tools of an MCP server'),
  kb: role('declarations', 'tools', 'a knowledge base to query'),
  association: role('declarations', 'tools', 'an association to query'),
  clear_associations: role('declarations', 'tools', 'drops the associations before it'),
  socialize: role('declarations', 'tools', 'the tools to talk to other agents'),
  attachments: role('declarations', 'tools', 'the tools to attach files'),
  websearch: role('declarations', 'tools', "the provider's web search"),
};

/** Whether a role directs the program instead of being part of the conversation; such a message may be empty. */
export const isDirective = (name: string): boolean => {
  if (!Object.hasOwn(roles, name)) return false;
  const { group } = roles[name]!;
  return group !== 'conversation' && group !== 'tools' && group !== 'evidence';
};
