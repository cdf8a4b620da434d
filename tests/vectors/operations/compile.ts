import { join } from 'node:path';
import * as stages from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import { type Tool, takeTools, type WorkflowTools } from '@colophon/tools';
import type { Json, Operation, Place } from '../vector.js';
import { chatOf as given, plainMessages } from './chat-of.js';

/** The context of one chat whose file is `main.chat` in the root. */
const contextIn = ({ root }: Place) =>
  nodeContext({ workingDirectory: root, roots: [root], origin: join(root, 'main.chat') });

/** The chat of an input as each stage gets it: messages normalised. */
const chatOf = (input: Json) => stages.normalise(given(input));

const stage =
  (run: stages.Stage): Operation =>
  async (input, place) => ({ messages: plainMessages(await run(chatOf(input), contextIn(place))) });

const stubTool = (name: string, task: Json): Tool => ({
  name,
  description: typeof task === 'string' ? task : (task?.description ?? ''),
  parameters: { type: 'object', properties: task?.inputs ?? {} },
  run: () => null,
});

const stubWorkflow = (name: string, { title, description, tasks = {}, exports: exported }: Json): WorkflowTools => ({
  name,
  title,
  description,
  tools: Object.entries(tasks).map(([task, facts]) => stubTool(task, facts)),
  ...(exported ? { exported } : {}),
});

/** What a person wrote, on its way to what is asked. */
export const compile: Record<string, Operation> = {
  clear: stage(stages.clear),
  clean: (input) => ({ messages: plainMessages(stages.cleanRoles(chatOf(input), input.roles ?? undefined)) }),
  purge: (input) => ({ messages: plainMessages(stages.purge(chatOf(input))) }),
  pull: (input) => {
    const { chat, id } = stages.pull(chatOf(input));
    return { pulled: id, messages: plainMessages(chat) };
  },
  options: async (input, place) => {
    const { options, chat } = await stages.takeOptions(chatOf(input), contextIn(place));
    return { options, messages: plainMessages(chat) };
  },
  config: async (input, place) => {
    const context = contextIn(place);
    const messages = plainMessages(await stages.config(chatOf(input), context));
    return { messages, sets: context.config.map(({ key, value, tokens }) => [{ [key]: value }, tokens]) };
  },
  imports: stage(stages.imports),
  files: stage(stages.files),
  extract_tools: async (input) => {
    const workflow = (name: string) =>
      input.workflows?.[name] ? stubWorkflow(name, input.workflows[name]) : undefined;
    const { chat, tools } = await takeTools(chatOf(input), { workflow });
    return { messages: plainMessages(chat), tools: tools.map(({ name }) => name) };
  },
  compile: async ({ main = 'main.chat' }, place) => {
    const { origin: _, ...context } = contextIn(place);
    return { messages: plainMessages(await stages.compileChat({ file: main }, context)) };
  },
};
