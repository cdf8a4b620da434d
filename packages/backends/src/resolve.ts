import { type CompileContext, compileChat, createContext, takeOptions } from '@colophon/chat-compile';
import { type Chat, lineageId } from '@colophon/chat-format';
import { checkRegistry, type Tool, takeTools } from '@colophon/tools';
import type { AskEvent } from './answer.js';
import type { AskOptions } from './ask-options.js';
import type { Backend } from './backend.js';
import { checkRoles } from './check-roles.js';
import type { AskContext } from './context.js';
import { unsupported } from './errors.js';
import type { RunInput } from './open-input.js';
import { namedAgent, readLayers, resolveOptions } from './resolve-options.js';
import type { Run } from './run.js';
import { readEnding } from './unfinished.js';

/** What a run begins with. */
export type RunRequest = {
  input: RunInput;
  options: AskOptions;
  context: AskContext;
  signal: AbortSignal;
  /** Somebody listens to deltas. */
  streams: boolean;
  emit: (event: AskEvent) => void;
};

/** An agent that is to be asked instead. */
export type Delegation = { agent: string; chat: Chat };

const compileContext = ({ input, context, signal }: RunRequest): CompileContext => {
  const { workingDirectory = '/', roots, files, policy, workflows, log, compile } = context;
  return createContext({
    ...compile,
    workingDirectory,
    roots: roots.map(({ path }) => path),
    files,
    signal,
    ...(policy === undefined ? {} : { policy }),
    ...(workflows === undefined ? {} : { workflows }),
    ...(log === undefined ? {} : { log }),
    ...(input.file === undefined ? {} : { origin: input.file }),
  });
};

// Options of a chat hold until the next answer: those that an unfinished run began with hold until it is finished.
const takeRunOptions = async (compiled: Chat, context: CompileContext) => {
  const { start } = readEnding(compiled);
  const tail = compiled.slice(start);
  if (tail.some(({ role }) => role === 'previous_response_id')) return takeOptions(compiled, context);
  const taken = await takeOptions(compiled.slice(0, start), context);
  return { ...taken, chat: [...taken.chat, ...tail] };
};

const collectTools = (given: readonly Tool[], declared: readonly Tool[]): readonly Tool[] =>
  checkRegistry([...given, ...declared]);

// Providers take keys of at most 64 characters.
const cacheKeyLength = 32;

const mayWebsearch = (backend: Backend): boolean =>
  'reply' in backend ? backend.capabilities?.websearch !== false : backend.capabilities.websearch === true;

const firstId = (chat: Chat): { promptCacheKey?: string } => {
  const [first] = chat;
  return first ? { promptCacheKey: lineageId(null, first.role, first.content).slice(-cacheKeyLength) } : {};
};

/**
 * Step 1: compiles the chat, takes its options and tools, weighs them with all other sources, loads the backend and checks that
 * it knows what it will be sent. Nothing is recorded, sent or run here, but for what the chat itself asks compiling to run.
 */
export const resolve = async (request: RunRequest): Promise<Run | Delegation> => {
  const { input, options: call, context, signal, streams, emit } = request;
  const compile = compileContext(request);
  const compiled = await compileChat([...input.stored, ...input.question], compile);
  const taken = await takeRunOptions([...compiled], compile);
  const layers = await readLayers(call, taken.options, input.file ?? 'the chat', context);
  const agent = namedAgent(layers);
  if (agent !== undefined) return { agent, chat: taken.chat };

  const options = await resolveOptions(layers, context, signal);
  const { chat, tools: declared, websearch } = await takeTools(taken.chat, context.toolSources ?? {});
  const tools = collectTools(call.tools ?? [], declared);
  if (tools.length > 0 && options.backend.capabilities?.tools === false)
    throw unsupported('tools', options.backend.name);
  if (websearch) options.own.websearch ??= true;
  if (options.own.websearch === true && !mayWebsearch(options.backend))
    throw unsupported('web search', options.backend.name);
  const after = new Set(taken.chat.slice(taken.continuesAt ?? taken.chat.length));
  const conversation = chat.filter(({ role }) => role !== 'meta');
  checkRoles(conversation, options.backend);

  const id = options.own.previousResponseId as string | undefined;
  // An id that the call gives, and not the chat, covers nothing of the chat.
  const from = taken.continuesAt === undefined ? 0 : conversation.findIndex((message) => after.has(message));
  return {
    input,
    options,
    context,
    compile,
    tools,
    chat,
    fresh: [],
    tokens: {},
    cost: 0,
    unmetered: false,
    rounds: 0,
    ...(id === undefined ? {} : { thread: { id, from: from < 0 ? conversation.length : from } }),
    ...firstId(conversation),
    torn: [],
    readings: new Map(),
    warnings: options.warnings,
    signal,
    streams,
    emit,
  };
};
