import type { Chat, Message } from './message.js';
import type { Meta } from './meta.js';

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
