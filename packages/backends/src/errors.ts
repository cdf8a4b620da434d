import { ColophonError, type ErrorFacts, type Message } from '@colophon/chat-format';

const list = (names: readonly string[]): string =>
  names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';

const placeOf = (message: Message): ErrorFacts => ({ at: message.at, role: message.role });

/** A backend object lacks a part, or a part has the wrong shape. */
export const invalidBackend = (name: string, problem: string) =>
  new ColophonError('invalid_backend', `Backend ${name}: ${problem}.`, { backend: name });

/** No backend of this name in the table, as a file or as a package. */
export const unknownBackend = (name: string, known: readonly string[], tried: string, cause?: unknown) =>
  new ColophonError('unknown_backend', `There is no backend \`${name}\`. Known: ${list(known)}; ${tried}.`, {
    backend: name,
    known,
    cause,
  });

/** A module that should hold a backend can't be loaded, or holds none. */
export const backendNotLoaded = (name: string, problem: string, cause?: unknown) =>
  new ColophonError('backend_not_loaded', `Backend \`${name}\` can't be loaded: ${problem}.`, { backend: name, cause });

/** A file names code to load, and the policy forbids running what a file names. */
export const backendCodeRefused = (name: string, source: string, policy: string) =>
  new ColophonError(
    'backend_code_refused',
    `${source} names the backend \`${name}\`, which is code, and under the policy \`${policy}\` a file may name no code. Name it in the call if you trust it.`,
    { backend: name, source, policy },
  );

/** The backend has no default model and none was named. */
export const noModel = (backend: string, names: readonly string[]) =>
  new ColophonError(
    'no_model',
    `Backend \`${backend}\` needs a model: give \`model\` in the call, the chat or the endpoint, or set ${list(names)}.`,
    { backend },
  );

/** No endpoint file of this name below any root. */
export const unknownEndpoint = (name: string, known: readonly string[], roots: readonly string[]) =>
  new ColophonError(
    'unknown_endpoint',
    `There is no endpoint \`${name}\`. Known: ${list(known)}. Looked for etc/AI/${name}.yaml below ${roots.length > 0 ? roots.join(', ') : 'no root at all'}.`,
    { endpoint: name, known },
  );

/** An endpoint file can't be read, or holds no options. */
export const badEndpoint = (file: string, problem: string, cause?: unknown) =>
  new ColophonError(
    'bad_endpoint',
    `${file}: ${problem}. Expected lines \`option: value\`, as in \`backend: openai\`.`,
    { file, cause },
  );

/** The command that should print a key failed. */
export const keyCommandFailed = (file: string, problem: string) =>
  new ColophonError(
    'key_command_failed',
    `${file}: key_command ${problem}. It must print the key and end with status 0.`,
    { file },
  );

/** Options that neither the loop nor the backend's list of parameters knows. */
export const unknownOptions = (names: readonly string[], backend: string, near: readonly string[]) =>
  new ColophonError(
    'unknown_option',
    `Backend \`${backend}\` knows no option ${list(names)}.${near.length > 0 ? ` Near: ${list(near)}.` : ''} To send it all the same, write \`extra_body.${names[0]}\`.`,
    { names, backend, near },
  );

const secretOptions = new Set(['key', 'key_env', 'key_command', 'headers', 'url']);

const isVariable = (value: unknown): boolean => typeof value === 'string' && /^[A-Z_][A-Z0-9_]*$/.test(value);

// What stands where a key belongs may be one.
const received = (name: string, value: unknown): string => {
  if (secretOptions.has(name) && !(name === 'key_env' && isVariable(value)))
    return `${Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : `a value of the type ${typeof value}`} that is not shown here`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};

/** A value that an option can't take. Values that may be secret are not told. */
export const badOption = (name: string, value: unknown, expected: string, source: string, cause?: unknown) =>
  new ColophonError(
    'bad_option',
    `Option \`${name}\` from ${source}: received ${received(name, value)}, expected ${expected}.`,
    {
      name,
      source,
      cause,
    },
  );

/** A `format` that is no form of a schema. */
export const badFormat = (problem: string, cause?: unknown) =>
  new ColophonError(
    'bad_format',
    `\`format\`: ${problem}. Expected \`json\`, a JSON Schema, a zod schema, or the short form {ok: boolean, note: [string, "short", "-"]}.`,
    { cause },
  );

/** A role that no backend understands; nothing was sent. */
export const unknownRole = (message: Message) =>
  new ColophonError(
    'unknown_role',
    `No backend knows the role \`${message.role}\`. If the line is text, put it in a fence or write \`\\${message.role}:\`. Nothing was sent.`,
    placeOf(message),
  );

/** A role that means something elsewhere, but nothing to a backend; nothing was sent. */
export const unhandledRole = (message: Message, purpose: string) =>
  new ColophonError(
    'unknown_role',
    `The role \`${message.role}\` (${purpose}) means nothing here. Take it out, or ask where it does; if the line is text, put it in a fence or write \`\\${message.role}:\`. Nothing was sent.`,
    placeOf(message),
  );

/** A part of the chat that this backend has no form for; nothing was sent. */
export const unsupported = (part: string, backend: string, message?: Message) =>
  new ColophonError(
    'unsupported',
    `Backend \`${backend}\` takes no ${part}. Take it out, or ask another backend. Nothing was sent.`,
    { ...(message ? placeOf(message) : {}), backend, part },
  );

/** A call or an output that can't be read, so that no valid request can be made of it; nothing was sent. */
export const unreadableMessage = (message: Message, expected: string) =>
  new ColophonError(
    'unreadable_message',
    `This \`${message.role}\` can't be sent: expected ${expected}, received \`${message.content.slice(0, 80)}\`. Mend the message or take it out. Nothing was sent.`,
    placeOf(message),
  );

/** An image or a PDF that is not there or of a kind that providers don't take; nothing was sent. */
export const unreadableAttachment = (message: Message, problem: string, cause?: unknown) =>
  new ColophonError(
    'unreadable_attachment',
    `\`${message.role}: ${message.content.slice(0, 200)}\` ${problem}. Nothing was sent.`,
    {
      ...placeOf(message),
      cause,
    },
  );

/** The provider's own address asks for a key, and none was found. */
export const missingKey = (backend: string, names: readonly string[]) =>
  new ColophonError(
    'missing_key',
    `Backend \`${backend}\` needs a key: set ${list(names)}, or give \`key_env\` or \`key_command\` in an endpoint file. Or ask by another backend: \`anthropic\`, \`ollama\`, one of your own.`,
    {
      backend,
      retryable: false,
    },
  );

/** The SDK of a backend is not installed: it is no dependency, since few need it. */
export const missingSdk = (name: string, backend: string, cause?: unknown) =>
  new ColophonError(
    'missing_sdk',
    `Backend \`${backend}\` needs the package ${name}, which is not installed. Install it: npm install ${name} (with -g where colophon is installed so).`,
    { backend, package: name, retryable: false, cause },
  );

/** No region was named for a provider that has an address for each. */
export const missingRegion = (backend: string, names: readonly string[]) =>
  new ColophonError(
    'missing_region',
    `Backend \`${backend}\` needs a region: give \`region\` in the call or an endpoint file, or set ${list(names)}.`,
    { backend, retryable: false },
  );

/** What was to be embedded is not all text. */
export const badTexts = (texts: readonly unknown[]) => {
  const place = texts.findIndex((text) => typeof text !== 'string' || text === '');
  const received = texts[place] === '' ? 'an empty text' : texts[place] === null ? 'null' : typeof texts[place];
  return new ColophonError(
    'bad_input',
    `embed: received ${received} at place ${place}, expected texts that are not empty.`,
    {},
  );
};

/** A picture was to be written where a file is; nothing was asked. */
export const fileExists = (file: string) =>
  new ColophonError(
    'file_exists',
    `${file} is there already and is not written over: name another file. Nothing was asked.`,
    { file },
  );

/** An answer without the picture that was asked for; `answer` is what was paid for. */
export const noImage = (backend: string, text: string, answer: unknown) =>
  new ColophonError(
    'no_image',
    `Backend \`${backend}\` answered without a picture${text === '' ? '' : `: ${text.slice(0, 200)}`}.`,
    { backend, answer },
  );

/** What was asked is neither text, messages nor a file. */
export const badInput = (input: unknown) =>
  new ColophonError(
    'bad_input',
    `ask: received ${input === null ? 'null' : typeof input === 'object' ? 'an object without `file`, or with one that is no path' : typeof input}, expected a text, a list of messages, or {file, question}.`,
    {},
  );

/** The chat holds nothing that could be answered. */
export const nothingToAsk = (where: string) =>
  new ColophonError('nothing_to_ask', `${where} holds no message to answer: write one, or give a question.`, {});

/** `{file}` without a question names no file. */
export const chatMissing = (path: string) =>
  new ColophonError('chat_missing', `${path}: no such chat file, and no question to begin one with.`, {
    file: path,
  });

/** `saveFile` holds another conversation than the one that is asked. */
export const saveFileDiffers = (path: string, held: number, at: number) =>
  new ColophonError(
    'save_file_differs',
    `${path} holds ${held} messages that are not the beginning of this chat (the first difference is message ${at + 1}). To go on with that file, ask {file: '${path}', question: …}; else name another file.`,
    { file: path, index: at },
  );

/** A relative path without a working directory to resolve it. */
export const relativePath = (path: string) =>
  new ColophonError(
    'relative_path',
    `\`${path}\` is relative, and the context has no workingDirectory: give one, or an absolute path.`,
    { file: path },
  );

/** An `agent` option without anything that knows agents. */
export const noAgents = (name: string) =>
  new ColophonError(
    'no_agents',
    `\`agent: ${name}\` needs a context with an \`agents\` function, and this one has none. Use the agent package, or take the option out.`,
    { agent: name },
  );

/** `maxCost` can't be held since the model has no known price. */
export const unknownPrice = (model: string, backend: string) =>
  new ColophonError(
    'unknown_price',
    `No price is known for the model \`${model}\` of \`${backend}\`, so maxCost can't be held. Give \`prices: {input, output}\` (dollars per million tokens), use maxTokens, or leave maxCost out.`,
    { model, backend },
  );

/** A request that failed. `facts`: `chat` so far, `status`, `providerCode`, `retryable`, `retryAfter` (seconds). */
export const requestFailed = (message: string, facts: ErrorFacts) =>
  new ColophonError('request_failed', message, facts);

/** The model gave no value of the asked form, twice. */
export const noObject = (problem: string, facts: ErrorFacts) =>
  new ColophonError('no_object', `The answer is not of the asked form: ${problem}`, facts);

/** A script that can't be replayed. */
export const badScript = (problem: string, cause?: unknown) =>
  new ColophonError('bad_script', `The replay backend needs a script: ${problem}.`, { cause });

/** The conversation asks for more replies than the script holds. */
export const replayEnded = (turn: number, reply: number, replies: number, turns: number) =>
  new ColophonError(
    'replay_ended',
    `The script has no reply for this request: it is reply ${reply + 1} of turn ${turn + 1}, and the script holds ${turns} turn${turns === 1 ? '' : 's'}${replies > 0 ? `, ${replies} repl${replies === 1 ? 'y' : 'ies'} in this one` : ''}.`,
    { turn, reply, replies, turns, retryable: false },
  );

/** A backend returned something that is no reply. */
export const invalidReply = (backend: string, problem: string) =>
  new ColophonError(
    'invalid_reply',
    `Backend \`${backend}\` ${problem}; expected {messages: [{role, content}], calls: [{id, name, arguments}], usage, id}.`,
    { backend, retryable: false },
  );
