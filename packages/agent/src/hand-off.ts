import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Tool, toolResult } from '@colophon/tools';
import { z } from 'zod';
import type { AgentContext } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';
import { askSpecialist, type Call, isNote, noteOf } from './ask-specialist.js';
import { grace, whyNot } from './ask-tool.js';
import { type Conversation, openConversation, readChat } from './conversation.js';
import { badToolName } from './errors.js';
import { folderName } from './folder-name.js';
import { folderOf, type Society } from './society.js';

const input = z.object({ message: z.string(), new_conversation: z.boolean().default(false) });

const parameters = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'what it is told' },
    new_conversation: { type: 'boolean', default: false, description: 'begin anew instead of going on' },
  },
  required: ['message'],
  additionalProperties: false,
};

const talk = (number: number): string => `talk-${number}`;

// The conversations that this society has seen, or that are on the disk.
const lastTalk = async ({ conversations }: Society, name: string, folder: string | undefined): Promise<number> => {
  const saved = folder === undefined ? [] : await readdir(join(folder, folderName(name))).catch(() => []);
  const live = [...conversations.keys()].map((key) => JSON.parse(key) as [string | null, string, string]);
  const seen = live.flatMap(([, agent, conversation]) => (agent === name ? [conversation] : []));
  const numbers = [...saved, ...seen].map((conversation) => Number(/^talk-(\d+)$/.exec(conversation)?.[1] ?? 0));
  return Math.max(1, ...numbers);
};

// A call that was interrupted after it had begun a new conversation goes on with that one.
const isBegun = async (conversation: Conversation, call: Call): Promise<boolean> => {
  const chat = await readChat(conversation);
  return chat.length === 0 || chat.findLast(isNote)?.content === noteOf(call).content;
};

/**
 * The tool `hand_off_to_<name>`, with which a model goes on talking to one agent. Throws `bad_tool_name`.
 */
export const handOff = (
  definition: AgentDefinition,
  { name, description }: { name: string; description: string },
  society: Society,
  context: AgentContext,
): Tool => {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(name)) throw badToolName(name);
  return {
    name: `hand_off_to_${name}`,
    description,
    parameters,
    idempotent: true,
    timeout: society.timeLimit,
    grace,
    run: async (given, toolContext) => {
      const call = toolContext as Call;
      const { message: prompt, new_conversation: anew } = input.parse(given);
      const problem = whyNot(society, definition.name);
      if (problem !== undefined) return toolResult({ content: problem, error: 'error' });
      const folder = folderOf(society, call);
      const last = await lastTalk(society, name, folder);
      const open = (number: number) => openConversation(society, name, talk(number), folder);
      const conversation = anew && !(await isBegun(open(last), call)) ? open(last + 1) : open(last);
      const question = { definition, conversation, prompt, inherit: 'tools' as const, society, context };
      return conversation.turn(() => society.limit(() => askSpecialist(question, call)));
    },
  };
};
