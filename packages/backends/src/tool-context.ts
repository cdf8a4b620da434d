import type { Chat, Message } from '@colophon/chat-format';
import type { AskOptions } from './ask-options.js';
import type { AskContext } from './context.js';
import type { Ledger } from './ledger.js';
import type { Run } from './run.js';

/** What a tool may know of the run that called it, beside what every tool gets. */
export type RunToolContext = {
  grants: { writable: string[]; readable: string[] };
  grantRead: (path: string) => void;
  /** The chat's file, absolute. */
  chatFile?: string;
  /** The file of the whole conversation, where it is another one. */
  transcript?: string;
  /** Adds a message to the conversation when all outputs of the round are recorded. */
  append: (message: Message) => void;
  /** The conversation so far, compiled, without what stands before it. */
  conversation: () => Chat;
  /** The messages that declared its tools. */
  declared: Chat;
  /** The run's account, for runs that the tool begins. */
  ledger: Ledger;
  /** Options for such runs: `defaults` of their calls. */
  passedOn: AskOptions;
  /** The machine of the run. */
  context: AskContext;
  /** What is kept with a job that the tool runs. */
  requestContext: Record<string, unknown>;
};

const requestContextOf = ({ options, input }: Run): Record<string, unknown> => {
  const { endpoint, mainChat } = options.own;
  const { file } = input;
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    backend: options.backend.name,
    model: options.model,
    ...(file === undefined ? {} : { caller: file }),
    ...((mainChat ?? file) === undefined ? {} : { main_chat: mainChat ?? file }),
  };
};

/** Made for each round of calls. `append` gets what tools add. */
export const toolContext = (run: Run, append: RunToolContext['append']): RunToolContext => {
  const { compile, input, options, ledger, passedOn, declared, context } = run;
  const { grants } = compile;
  const { transcript } = options.own as { transcript?: string };
  return {
    grants,
    grantRead: (path) => {
      if (!grants.readable.includes(path)) grants.readable.push(path);
    },
    ...(input.file === undefined ? {} : { chatFile: input.file }),
    ...(transcript === undefined ? {} : { transcript }),
    append,
    conversation: () => run.chat.filter((message) => !run.start.has(message)),
    declared,
    ledger,
    passedOn,
    context,
    requestContext: requestContextOf(run),
  };
};
