import { annotate } from './annotate.js';
import type { Chat, Message } from './message.js';
import { type Meta, parseMeta, printMeta } from './meta.js';
import { printChat } from './print-chat.js';

/** Inputs of a task: the line as it is typed, or values by name. */
export type Inputs = string | Record<string, unknown>;

/** The verbs that `chat` puts on an array. Those that add messages return the array, so that they chain. */
export type ChatVerbs = {
  message: (role: string, content: string) => AnnotatedChat;
  user: (text: string) => AnnotatedChat;
  system: (text: string) => AnnotatedChat;
  assistant: (text: string) => AnnotatedChat;
  /** A whole chat file. */
  import: (path: string) => AnnotatedChat;
  /** The last message of a chat file. */
  importLast: (path: string) => AnnotatedChat;
  /** The last message of a chat file that is not empty. */
  continue: (path: string) => AnnotatedChat;
  file: (path: string) => AnnotatedChat;
  directory: (path: string) => AnnotatedChat;
  image: (path: string) => AnnotatedChat;
  pdf: (path: string) => AnnotatedChat;
  introduce: (workflow: string) => AnnotatedChat;
  /** Declares a workflow's tasks, or one of them with its visible inputs, as tools. */
  tool: (workflow: string, task?: string, inputs?: Inputs) => AnnotatedChat;
  task: (workflow: string, task: string, inputs?: Inputs) => AnnotatedChat;
  inlineTask: (workflow: string, task: string, inputs?: Inputs) => AnnotatedChat;
  execTask: (workflow: string, task: string, inputs?: Inputs) => AnnotatedChat;
  job: (path: string) => AnnotatedChat;
  inlineJob: (path: string) => AnnotatedChat;
  association: (name: string, path: string, options?: Inputs) => AnnotatedChat;
  /** The form of the answer: a name, the path of a schema, or a schema. */
  format: (format: string | object) => AnnotatedChat;
  option: (name: string, value: unknown) => AnnotatedChat;
  endpoint: (name: string) => AnnotatedChat;
  model: (name: string) => AnnotatedChat;
  /** A message wrapped in a tag: `<file name="…">`. */
  tag: (content: string, name?: string, tag?: string, role?: string) => AnnotatedChat;
  /** Adds messages; of a coda with a `previous_response_id` only what comes after it, and the id goes to the front. */
  follow: (coda: readonly Message[]) => AnnotatedChat;
  /** The same as `follow`. */
  append: (coda: readonly Message[]) => AnnotatedChat;
  /** Puts messages in front, as if this chat followed them. */
  prepend: (intro: readonly Message[]) => AnnotatedChat;
  /** An annotated copy. */
  branch: () => AnnotatedChat;
  /** Takes the messages of a role out and returns them. */
  removeRole: (role: string) => Chat;
  roleMessages: (role: string) => Chat;
  /** A copy without `previous_response_id`. */
  purge: () => AnnotatedChat;
  /** The last message of the purged copy. */
  final: () => Message | undefined;
  /** The content of the final message. */
  answer: () => string | undefined;
  /** A chat of the final message alone. */
  shed: () => AnnotatedChat;
  print: () => string;
  /** Sets a field of the last `meta`; a chat without one gets one. */
  addMeta: (key: string, value: string | number) => AnnotatedChat;
  /** The fields of the last `meta`. */
  meta: () => Meta | undefined;
  /** Every `job=` of the metas, in order. */
  jobPaths: () => string[];
  /** The last of them. */
  lastJob: () => string | undefined;
};

/** A chat with verbs: still a plain array to everything that looks at it. */
export type AnnotatedChat = Chat & ChatVerbs;

const attribute = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter);

const words = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** `key=value` pairs with JSON values, which the one-line input grammar reads back as they are. */
const inputsText = (inputs: Inputs | undefined): string | undefined =>
  typeof inputs === 'object'
    ? words(
        ...Object.entries(inputs).map(([key, value]) =>
          value === undefined ? undefined : `${key}=${JSON.stringify(value)}`,
        ),
      )
    : inputs;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Option values are typed when they are read: text that would be taken for something else is quoted. */
const optionText = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value);
  return value === 'nil' || /^\s|\s$|^["']|^$/.test(value) || isJson(value) ? JSON.stringify(value) : value;
};

const isResponseId = (message: Message): boolean => message.role === 'previous_response_id';

/** Two chats in a row. What the second one's provider session already holds is left out, and its id leads. */
const joined = (first: readonly Message[], second: readonly Message[]): Chat => {
  const at = second.findLastIndex(isResponseId);
  const id = second[at];
  return id
    ? [id, ...first.filter((message) => !isResponseId(message)), ...second.slice(at + 1)]
    : [...first, ...second];
};

const replace = (array: Chat, messages: Chat): void => {
  array.length = 0;
  for (const message of messages) array.push(message);
};

/**
 * Puts the verbs on an array of messages (a new one, where none is given) and returns that very array. They are hidden from
 * enumeration: `JSON.stringify`, spread, `structuredClone` and equality see a plain array. `unannotate` takes them off.
 */
export const chat = (array: Chat = []): AnnotatedChat => {
  const add = (role: string, content: string): AnnotatedChat => {
    array.push({ role, content });
    return array as AnnotatedChat;
  };
  const adds = (role: string) => (content: string) => add(role, content);
  const addsTask = (role: string) => (workflow: string, task?: string, inputs?: Inputs) =>
    add(role, words(workflow, task, inputsText(inputs)));
  const become = (messages: Chat): AnnotatedChat => {
    replace(array, messages);
    return array as AnnotatedChat;
  };
  const metas = () => array.filter((message) => message.role === 'meta').map((message) => parseMeta(message.content));
  const jobPaths = () => metas().flatMap(({ job }) => (job === undefined || job === '' ? [] : [String(job)]));
  const purged = () => array.filter((message) => !isResponseId(message));
  const final = () => purged().at(-1);
  const follow = (coda: readonly Message[]) => become(joined(array, coda));

  return annotate(array, {
    message: add,
    user: adds('user'),
    system: adds('system'),
    assistant: adds('assistant'),
    import: adds('import'),
    importLast: adds('last'),
    continue: adds('continue'),
    file: adds('file'),
    directory: adds('directory'),
    image: adds('image'),
    pdf: adds('pdf'),
    introduce: adds('introduce'),
    tool: addsTask('tool'),
    task: addsTask('task'),
    inlineTask: addsTask('inline_task'),
    execTask: addsTask('exec_task'),
    job: adds('job'),
    inlineJob: adds('inline_job'),
    association: (name, path, options) => add('association', words(name, path, inputsText(options))),
    format: (format) => add('format', typeof format === 'string' ? format : JSON.stringify(format)),
    option: (name, value) => add('option', words(name, optionText(value))),
    endpoint: adds('endpoint'),
    model: adds('model'),
    tag: (content, name, tag = 'file', role = 'user') => {
      const opening = name === undefined ? `<${tag}>` : `<${tag} name="${attribute(name)}">`;
      return add(role, `${opening}\n${content}\n</${tag}>`);
    },
    follow,
    append: follow,
    prepend: (intro) => become(joined(intro, array)),
    branch: () => chat([...array]),
    removeRole: (role) => {
      const taken = array.filter((message) => message.role === role);
      become(array.filter((message) => message.role !== role));
      return taken;
    },
    roleMessages: (role) => array.filter((message) => message.role === role),
    purge: () => chat(purged()),
    final,
    answer: () => final()?.content,
    shed: () => {
      const message = final();
      return chat(message ? [message] : []);
    },
    print: () => printChat(array),
    addMeta: (key, value) => {
      const at = array.findLastIndex((message) => message.role === 'meta');
      const record = array[at];
      if (!record) return add('meta', printMeta({ [key]: value }));
      array[at] = { ...record, content: printMeta({ ...parseMeta(record.content), [key]: value }) };
      return array as AnnotatedChat;
    },
    meta: () => metas().at(-1),
    jobPaths,
    lastJob: () => jobPaths().at(-1),
  } satisfies ChatVerbs);
};
