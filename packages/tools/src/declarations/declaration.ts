import type { Message } from '@colophon/chat-format';
import type { Tool } from '../tool.js';

/** A workflow as a chat can use it. `exported` names the tasks that the workflow offers; absent or empty, it offers all. */
export type WorkflowTools = {
  name: string;
  title?: string;
  description?: string;
  tools: readonly Tool[];
  exported?: readonly string[];
};

/** Where an MCP server is: its address, the command that starts it, or its name in the configuration. */
export type McpServer =
  | { kind: 'http'; url: string }
  | { kind: 'stdio'; command: string[] }
  | { kind: 'named'; name: string };

/** A TSV file that is a database for this chat; `path` as it was written. */
export type Association = { name: string; path: string; options: Record<string, string> };

type Later<T> = T | Promise<T>;

/** The engines that declarations need, handed in by the layer above. What is absent makes its declarations an error. */
export type ToolSources = {
  /** Finds a workflow; undefined where there is none of that name. */
  workflow?: (name: string, message: Message) => Later<WorkflowTools | undefined>;
  /** All tools of a server. */
  mcp?: (server: McpServer, message: Message) => Later<readonly Tool[]>;
  /** Query tools of a knowledge base: of all its databases, or of those named. */
  knowledgeBase?: (name: string, databases: readonly string[], message: Message) => Later<readonly Tool[]>;
  association?: (association: Association, message: Message) => Later<readonly Tool[]>;
  /** Tools with which other agents are asked. */
  socialize?: (message: Message) => Later<readonly Tool[]>;
  /** Tools with which files are attached to the conversation. */
  attachments?: (message: Message) => Later<readonly Tool[]>;
};

/** What a declaration gives: tools, or messages that stand in its place. */
export type Declared = { tools?: readonly Tool[]; messages?: Message[] };

/** One declaring role: its words (split as a shell does, `as=` taken out), the message itself, and the engines. */
export type Declaration = (words: readonly string[], message: Message, sources: ToolSources) => Later<Declared>;
