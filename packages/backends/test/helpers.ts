import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskContext, DirectBackend, Reply } from '@colophon/backends';
import { type NodeContextOptions, nodeContext } from '@colophon/backends/node';
import { type Chat, type Message, parseCall, parseChat, parseMeta, parseOutput } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import { afterEach } from 'vitest';

// Thousands of durable appends: in memory where the system has such a folder.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes when the test ends. */
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(base, 'colophon-backends-'));
  folders.push(folder);
  return folder;
};

/** A context in a folder with a clock that counts seconds and ids that count up. */
export const testContext = (folder: string, more: NodeContextOptions = {}): AskContext => {
  let seconds = 0;
  let ids = 0;
  return nodeContext({
    workingDirectory: folder,
    now: () => new Date(Date.UTC(2031, 3, 2, 9, 15, seconds++)),
    randomId: () => `id-${++ids}`,
    ...more,
  });
};

export const readChat = (file: string): Chat =>
  parseChat(readFileSync(file, 'utf8')).map(({ role, content }) => ({ role, content }));

export const roles = (chat: Chat): string[] => chat.map(({ role }) => role);

export const metas = (chat: Chat) =>
  chat.filter(({ role }) => role === 'meta').map(({ content }) => parseMeta(content));

/** The conversation part of a chat, one short line each: what a person would compare. */
export const lines = (chat: Chat): string[] =>
  chat.flatMap(({ role, content }: Message) => {
    if (role === 'meta') return [];
    const call = role === 'function_call' ? parseCall(content) : undefined;
    if (call) return [`call ${call.id} ${call.name} ${JSON.stringify(call.arguments)}`];
    const output = role === 'function_call_output' ? parseOutput(content) : undefined;
    if (output) return [`output ${output.id} ${output.error ?? 'ok'} ${output.content}`];
    return [`${role} ${content}`];
  });

/** A direct backend that remembers what it was asked. */
export const spy = (
  answer: (round: number, chat: Chat) => Partial<Reply> | string | Promise<Partial<Reply> | string>,
  more: Partial<DirectBackend> = {},
) => {
  const asked: { chat: Chat; options: Record<string, unknown>; tools: string[] }[] = [];
  const backend: DirectBackend = {
    name: 'spy',
    async reply(chat, { options, tools, signal, onDelta }) {
      signal?.throwIfAborted();
      asked.push({ chat, options: options as Record<string, unknown>, tools: tools.map(({ name }) => name) });
      const reply = await answer(asked.length - 1, chat);
      if (typeof reply !== 'string') return { messages: [], calls: [], ...reply };
      onDelta?.({ kind: 'text', text: reply });
      return { messages: [{ role: 'assistant', content: reply }], calls: [] };
    },
    ...more,
  };
  return { backend, asked };
};

/** A reply that asks for calls. */
export const calling = (...calls: [string, string, unknown?][]): Partial<Reply> => ({
  calls: calls.map(([id, name, given = {}]) => ({ id, name, arguments: given })),
});

/** A tool that counts its runs. */
export const counter = (name: string, more: Partial<Tool> = {}) => {
  const ran: Record<string, unknown>[] = [];
  const tool: Tool = {
    name,
    description: `Runs ${name}`,
    parameters: { type: 'object', properties: {} },
    run: (given) => {
      ran.push(given);
      return `${name} ${ran.length}`;
    },
    ...more,
  };
  return { tool, ran };
};
