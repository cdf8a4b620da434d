import { type Answer, type AskOptions, ask, createImage, keepReset, type ObjectAnswer } from '@colophon/backends';
import { chat as annotated, type Chat, type ChatVerbs, type Message } from '@colophon/chat-format';
import pLimit from 'p-limit';
import type { Agent, AgentVerbs } from './agent.js';
import type { AgentContext } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';
import { agentOptions } from './agent-options.js';
import { createSociety } from './create-society.js';
import { noList, noObject, noSaveFile } from './errors.js';
import { handOff } from './hand-off.js';
import { jobBranch } from './job-branch.js';
import { type OnError, retrying } from './retrying.js';
import { saveConversation } from './save-conversation.js';
import type { SocietyOptions } from './society.js';
import { placed, startLength, startOf } from './start-of.js';

/** What an agent is made with beside its definition. */
export type AgentOptions = {
  context: AgentContext;
  /** Options of every call; those of a single call are stronger. */
  options?: AskOptions;
  /** The file that it is saved to as it goes. */
  saveFile?: string;
  /** What it starts from instead of its start chat; for a conversation that goes on. */
  messages?: Chat;
  /** Asked when a request failed, at most nine times for one question; what was recorded is not done again. */
  onError?: OnError;
  /** How its specialists are asked. */
  society?: SocietyOptions;
  /** It answers itself, although its workflow has a task `ask`; for that very task. */
  direct?: boolean;
};

const listSchema = {
  type: 'object',
  properties: { content: { type: 'array', items: { type: 'string' } } },
  required: ['content'],
  additionalProperties: false,
};

const mend = (problem: string): string =>
  `Your answer does not have the form that was asked for: ${problem}. Answer again, with the JSON value alone.`;

const isText = (value: unknown): value is string => typeof value === 'string';

const isVerb = (value: unknown): value is (...words: unknown[]) => unknown => typeof value === 'function';

// Verbs of the chat, which act on whatever conversation the agent has by then.
const chatVerbs = (current: () => Chat & ChatVerbs): ChatVerbs => {
  const names = Object.getOwnPropertyNames(annotated()).filter((name) => isVerb(Reflect.get(current(), name)));
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...words: unknown[]) => {
        const verb = Reflect.get(current(), name);
        return isVerb(verb) ? verb(...words) : undefined;
      },
    ]),
  ) as ChatVerbs;
};

/**
 * An agent: a conversation that begins with the start of its definition, acts by what it declares, and is saved as it goes. Nothing
 * that is passed in is changed. Its verbs are those of the chat (`user`, `file`, `option`, …) and `AgentVerbs`.
 */
export const createAgent = (definition: AgentDefinition, given: AgentOptions): Agent => {
  const { context, options = {}, onError, direct = false } = given;
  const start = startOf(definition);
  const society = createSociety({ ...given.society, ancestors: [definition.name] });
  const turn = pLimit(1);
  const handOffs = new Map<string, ReturnType<typeof handOff>>();
  const state = {
    messages: annotated(placed([...(given.messages ?? start)], start)),
    saveFile: given.saveFile,
  };

  const optionsFor = async (chat: Chat, call: AskOptions): Promise<AskOptions> => {
    const own = agentOptions(definition, context, society);
    const branch = direct ? undefined : await jobBranch(definition, own.context);
    const tools = [...(options.tools ?? []), ...(call.tools ?? []), ...(own.tools ?? []), ...handOffs.values()];
    return { ...options, ...call, ...own, ...branch, agent: null, tools, before: startLength(chat, start) };
  };

  const converse = (call: AskOptions = {}): Promise<Answer> =>
    turn(() =>
      retrying(
        async () => {
          const { messages, saveFile } = state;
          const chat = [...messages];
          return ask(chat, {
            ...(await optionsFor(chat, call)),
            ...(saveFile === undefined ? {} : { saveFile }),
            onRecord: (recorded) => {
              messages.push(...recorded);
              call.onRecord?.(recorded);
            },
          });
        },
        onError,
        call.signal ?? options.signal,
      ),
    );

  const askFor = async (
    schema: NonNullable<AskOptions['format']>,
    call: AskOptions,
  ): Promise<ObjectAnswer<unknown>> => {
    const first = await converse({ ...call, format: schema });
    if ('object' in first) return first as ObjectAnswer<unknown>;
    if (first.formatError === undefined) throw noObject(first.reason ?? first.stopReason, first);
    state.messages.user(mend(first.formatError));
    const second = await converse({ ...call, format: schema });
    if ('object' in second) return second as ObjectAnswer<unknown>;
    throw noObject(second.formatError ?? second.reason ?? second.stopReason, second);
  };

  const verbs: AgentVerbs = {
    name: definition.name,
    definition,
    get messages() {
      return state.messages;
    },
    get saveFile() {
      return state.saveFile;
    },
    set saveFile(file) {
      state.saveFile = file;
    },
    start: async (chat) => {
      const { saveFile, messages } = state;
      if (saveFile !== undefined && messages.length > 0) {
        await keepReset(saveFile).catch((error) => {
          if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
        });
      }
      state.messages = annotated([...(chat ?? start)]);
      return agent;
    },
    chat: converse,
    ask: async (call = {}) => {
      const chat = [...state.messages];
      return ask(chat, await optionsFor(chat, call));
    },
    prompt: async (text, call = {}) => {
      const chat: Chat = [...start, { role: 'user', content: text }];
      return ask(chat, await optionsFor(chat, call));
    },
    object: (schema, call = {}) => askFor(schema, call),
    async *iterate(prompt, call = {}) {
      state.messages.user(prompt);
      const { object } = await askFor(listSchema, call);
      const { content } = object as { content?: unknown };
      if (!Array.isArray(content) || !content.every(isText)) throw noList(JSON.stringify(object));
      yield* content;
    },
    createImage: async (file, call = {}) => {
      const chat = [...state.messages];
      const image = await createImage(chat, file, await optionsFor(chat, call));
      // The bytes are in the file; what they cost is in the conversation.
      const metas: Message[] = image.answer.messages.filter(({ role }) => role === 'meta');
      state.messages.push(...metas, { role: 'assistant', content: `Made the picture ${image.file}` });
      if (state.saveFile !== undefined) await saveConversation(state.saveFile, state.messages);
      return image;
    },
    socialize: () => {
      state.messages.message('socialize', 'true');
      return agent;
    },
    delegate: (other, name, description) => {
      handOffs.set(name, handOff(other.definition, { name, description }, society, context));
      return agent;
    },
    save: async (file = state.saveFile) => {
      if (file === undefined) throw noSaveFile(definition.name);
      state.saveFile = file;
      await saveConversation(file, state.messages);
      return file;
    },
  };
  const agent: Agent = Object.defineProperties({} as Agent, {
    ...Object.getOwnPropertyDescriptors(chatVerbs(() => state.messages)),
    ...Object.getOwnPropertyDescriptors(verbs),
  });
  return agent;
};
