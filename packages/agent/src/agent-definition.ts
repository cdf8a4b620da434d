import type { Chat } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';

/** What an agent is before it says anything: plain data, as its folder has it or as code gives it. */
export type AgentDefinition = {
  name: string;
  /** Its folder, absolute; absent for one made in code. */
  path?: string;
  /** The start chat as it was written, not compiled; `at` says where each message stands. */
  start: Chat;
  /** File of its workflow, absolute. Its tasks are tools, and a task `ask` answers in the agent's place. */
  workflow?: string;
  /** Folder of its knowledge base, absolute. */
  knowledgeBase?: string;
  /** Tools made in code. */
  tools?: readonly Tool[];
};
