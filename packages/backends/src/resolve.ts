import { type CompileContext, compileChat, createContext, takeOptions } from '@colophon/chat-compile';
import { type Chat, lineageId, type Message } from '@colophon/chat-format';
import { checkRegistry, type Tool, takeTools } from '@colophon/tools';
import type { AskEvent } from './answer.js';
import { type AskOptions, toMessages } from './ask-options.js';
import type { Backend } from './backend.js';
import { checkRoles } from './check-roles.js';
import type { AskContext } from './context.js';
import { noAgents, unsupported } from './errors.js';
import { createLedger } from './ledger.js';
import type { RunInput } from './open-input.js';
import { passedOn } from './passed-on.js';
import { type ChatOptions, namedAgent, readLayers, resolveOptions } from './resolve-options.js';
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

const compileContext = ({ input, options, context, signal }: RunRequest): CompileContext => {
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
    ...(input.file === undefined
      ? {}
      : { origin: input.file, requestContext: { caller: input.file, main_chat: options.mainChat ?? input.file } }),
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

const declaring = new Set(['tool', 'introduce', 'mcp', 'kb', 'association']);

const isDeclaration = ({ role }: Message): boolean => declaring.has(role);

// Providers take keys of at most 64 characters.
const cacheKeyLength = 32;

const mayWebsearch = (backend: Backend): boolean =>
  'reply' in backend ? backend.capabilities?.websearch !== false : backend.capabilities.websearch === true;

const firstId = (chat: Chat): { promptCacheKey?: string } => {
  const [first] = chat;
  return first ? { promptCacheKey: lineageId(null, first.role, first.content).slice(-cacheKeyLength) } : {};
};

// What stands in front, and the chat itself.
const partsOf = ({ stored, question }: RunInput, before: AskOptions['before'] = 0): [Chat, Chat] => {
  const chat = [...stored, ...question];
  return typeof before === 'number' ? [chat.slice(0, before), chat.slice(before)] : [toMessages(before), chat];
};

const limitsOf = ({ maxTokens, maxCost }: { maxTokens?: number; maxCost?: number }, { ledger }: AskOptions) =>
  createLedger({
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(ledger === undefined ? {} : { parent: ledger }),
  });

/** The options of the call, as the agent that it or the chat names has them. */
const agentOptions = async (
  call: AskOptions,
  chats: readonly ChatOptions[],
  { input, context }: RunRequest,
): Promise<AskOptions> => {
  const agent = namedAgent(await readLayers(call, chats, context));
  if (agent === undefined) return call;
  if (!context.agents) throw noAgents(agent);
  const { agent: _, ...options } = call;
  const file = input.file === undefined ? {} : { file: input.file };
  return { ...(await context.agents(agent, { options: { ...options, context }, ...file })), agent: null };
};

/**
 * Step 1: compiles the chat, takes its options and tools, weighs them with all other sources, loads the backend and checks that
 * it knows what it will be sent. Nothing is recorded, sent or run here, but for what the chat itself asks compiling to run.
 */
export const resolve = async (request: RunRequest): Promise<Run> => {
  const { input, signal, streams, emit } = request;
  const compile = compileContext(request);
  const source = input.file ?? 'the chat';
  // A start that is part of the chat is known before any agent is.
  const [ownHead, own] = partsOf(input, request.options.before);
  const taken = await takeRunOptions([...(await compileChat(own, compile))], compile);
  const call = await agentOptions(request.options, [{ options: taken.options, source }], request);
  const context = call.context ?? request.context;
  const head = call.before === request.options.before ? ownHead : partsOf(input, call.before)[0];
  const start = await takeOptions([...(await compileChat(head, compile))], compile);
  const chats = [
    { options: taken.options, source },
    { options: start.options, source: head[0]?.at?.file ?? source },
  ];
  const layers = await readLayers(call, chats, context);
  const options = await resolveOptions(layers, context, signal);
  const compiled = [...start.chat, ...taken.chat];
  const { chat, tools: declared, websearch } = await takeTools(compiled, context.toolSources ?? {});
  const tools = collectTools(call.tools ?? [], declared);
  if (tools.length > 0 && options.backend.capabilities?.tools === false)
    throw unsupported('tools', options.backend.name);
  if (websearch) options.own.websearch ??= true;
  if (options.own.websearch === true && !mayWebsearch(options.backend))
    throw unsupported('web search', options.backend.name);
  const after = new Set(taken.chat.slice(taken.continuesAt ?? taken.chat.length));
  const conversation = chat.filter(({ role }) => role !== 'meta');
  checkRoles(conversation, options.backend);
  const { transcript } = options.own as { transcript?: string };
  if (transcript !== undefined)
    input.recorder.mirror(transcript, typeof call.before === 'number' ? input.stored : [...head, ...input.stored]);

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
    start: new Set(start.chat),
    declared: compiled.filter(isDeclaration),
    fresh: [],
    tokens: {},
    cost: 0,
    ledger: limitsOf(options.own as { maxTokens?: number; maxCost?: number }, call),
    rounds: 0,
    ...(id === undefined ? {} : { thread: { id, from: from < 0 ? conversation.length : from } }),
    ...firstId(conversation),
    torn: [],
    readings: new Map(),
    warnings: options.warnings,
    signal,
    streams,
    emit,
    steps: call.steps ?? {},
    passedOn: passedOn(options),
  };
};
