import { dirname, join } from 'node:path';
import type { Tool } from '@colophon/tools';
import pLimit, { type LimitFunction } from 'p-limit';
import type { AgentContext } from './agent-context.js';
import type { Conversation } from './conversation.js';

/** The specialists that one conversation talks to. */
export type Society = {
  /** Names of the agents that lead here, the outermost first. */
  ancestors: readonly string[];
  /** Folder of their conversations; absent: beside the chat that asks, where that is saved, else nowhere. */
  folder?: string;
  /** Agents one below the other. */
  maxDepth: number;
  /** Milliseconds that a call may take; default: as long as it takes. */
  timeLimit: number;
  /** Specialists at work at the same time. */
  limit: LimitFunction;
  /** Conversations by name, each one call at a time. */
  conversations: Map<string, Conversation>;
  /** The tools with which its agents are asked. */
  askTools: (society: Society, context: AgentContext) => Promise<Tool[]>;
};

/** How specialists are asked. */
export type SocietyOptions = Partial<Pick<Society, 'ancestors' | 'folder' | 'maxDepth' | 'timeLimit'>> & {
  /** Specialists at work at the same time; default 3. */
  specialists?: number;
};

/** A society in which nobody was asked yet. */
export const makeSociety = (
  { ancestors = [], folder, maxDepth = 8, timeLimit = Number.POSITIVE_INFINITY, specialists = 3 }: SocietyOptions,
  askTools: Society['askTools'],
): Society => ({
  ancestors,
  ...(folder === undefined ? {} : { folder }),
  maxDepth,
  timeLimit,
  limit: pLimit(specialists),
  conversations: new Map(),
  askTools,
});

/** The folder of the specialists of a chat that is saved here: `D/y.chat` has them in `D/y.society`. */
const societyFolder = (file: string): string => `${file.replace(/\.chat$/, '')}.society`;

/** Where the conversations of a society are kept, for a call of that chat; undefined: nowhere. */
export const folderOf = ({ folder }: Society, call: { chatFile?: string; transcript?: string }): string | undefined => {
  const file = call.transcript ?? call.chatFile;
  return folder ?? (file === undefined ? undefined : societyFolder(file));
};

/** The society of a specialist: one deeper, in `society/` beside its file. */
export const societyOf = (society: Society, agent: string, file: string | undefined): Society =>
  makeSociety(
    {
      ancestors: [...society.ancestors, agent],
      maxDepth: society.maxDepth,
      timeLimit: society.timeLimit,
      specialists: society.limit.concurrency,
      ...(file === undefined ? {} : { folder: join(dirname(file), 'society') }),
    },
    society.askTools,
  );
