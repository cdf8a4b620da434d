import { ColophonError } from '@colophon/chat-format';

const list = (items: readonly string[]): string => items.join(', ') || 'none';

/** There is no agent of this name. */
export const unknownAgent = (name: string, known: readonly string[], places: readonly string[]) =>
  new ColophonError(
    'unknown_agent',
    `There is no agent \`${name}\`; known: ${list(known)}. An agent is a folder with a \`start_chat\`, a \`workflow.ts\` or a \`knowledge_base/\`; looked in \`Agent/\`, \`workflows/\`, \`chats/Agent/\` and \`chats/\` below ${places.join(', ') || 'nothing, since no roots were given'}.`,
    { name, known, places },
  );

/** A name that can't be an agent's. */
export const badAgentName = (name: string) =>
  new ColophonError(
    'bad_agent_name',
    `${JSON.stringify(name)} is no name of an agent: it takes letters, digits, \`_\`, \`-\`, \`.\` and blanks, with \`/\` between folders. A path starts with \`/\`, \`./\` or \`~/\`.`,
    { name },
  );

/** A folder that was named by its path and holds no part of an agent. */
export const noAgentHere = (path: string) =>
  new ColophonError(
    'unknown_agent',
    `${path} is no agent: it holds neither \`start_chat\`, \`workflow.ts\` nor \`knowledge_base/\`.`,
    { path },
  );

/** An agent whose workflow can't be used, since the context has nothing that loads it. */
export const noWorkflowTools = (name: string, file: string) =>
  new ColophonError(
    'missing_engine',
    `The agent \`${name}\` has a workflow (${file}), and this context has nothing that loads one. Give \`workflowTools\` in the agent's context.`,
    { agent: name, file },
  );

/** A list that was asked for and is none. */
export const noList = (what: string) =>
  new ColophonError('no_list', `The model was asked for a list of texts and gave none: ${what}. Ask again.`, {});

/** Two names of hand-off tools that are one. */
export const badToolName = (name: string) =>
  new ColophonError(
    'bad_tool_name',
    `${JSON.stringify(name)} can't be the name of a hand-off: it takes letters, digits, \`_\` and \`-\`, at most 100.`,
    { name },
  );

/** A file that is to be saved to holds another conversation. */
export const fileDiffers = (file: string, index: number) =>
  new ColophonError(
    'save_file_differs',
    `${file} can't be saved to: its message #${index} is not the conversation's. Open the agent with this file (\`openAgent\`), or save to another one.`,
    { file, index },
  );

/** A value that was asked for and not given. */
export const noObject = (problem: string, answer: object) =>
  new ColophonError('no_object', `The answer does not have the form that was asked for: ${problem}.`, { answer });

/** An agent was to be saved, and nobody said where. */
export const noSaveFile = (name: string) =>
  new ColophonError(
    'no_save_file',
    `The agent ${name} has no file to be saved to: give one, as in \`save('x.chat')\`.`,
    {
      agent: name,
    },
  );

/** A chat task runs in a program that offers no agents. */
export const noAgentsService = (job: string) =>
  new ColophonError(
    'no_agents',
    `${job} is done by an agent, and the program that runs it offers none: run it by \`colophon\`, give \`services: {agents}\` in the workflow's context, or \`options: {context}\` in the task.`,
    { job },
  );

/** The function of a chat task returned what is no chat. */
export const wrongResult = (job: string, value: unknown) =>
  new ColophonError(
    'bad_result',
    `${job}: the function of a chat task returned ${value === undefined || value === null ? 'nothing' : `a ${typeof value}`}; expected the agent, a list of messages or one message.`,
    { job },
  );
