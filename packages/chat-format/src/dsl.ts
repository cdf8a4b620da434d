import { annotate } from './annotate.js';
import type { AnnotatedChat, ChatVerbs, Inputs } from './chat-verbs.js';
import type { Chat, Message } from './message.js';
import { parseMeta, printMeta } from './meta.js';
import { printChat } from './print-chat.js';

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
