import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type AgentContext, createAskAgent } from '@colophon/agent';
import type { DirectBackend, Reply } from '@colophon/backends';
import { type NodeContextOptions, nodeContext } from '@colophon/backends/node';
import { type Chat, type Message, parseCall, parseOutput } from '@colophon/chat-format';
import { afterEach } from 'vitest';

// Thousands of durable appends: in memory where the system has such a folder.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes when the test ends, with these files in it. */
export const freshFolder = (files: Record<string, string> = {}): string => {
  const folder = mkdtempSync(join(base, 'colophon-agent-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

/** A context whose only root is a folder, with a clock that counts seconds and ids that count up. */
export const agentContext = (folder: string, more: NodeContextOptions = {}): AgentContext => {
  let seconds = 0;
  let ids = 0;
  const context: AgentContext = nodeContext({
    workingDirectory: folder,
    roots: [{ path: folder, trusted: true }],
    now: () => new Date(Date.UTC(2031, 3, 2, 9, 15, seconds++)),
    randomId: () => `id-${++ids}`,
    ...more,
  });
  return { ...context, agents: (...words) => createAskAgent(context)(...words) };
};

/** What a model that plays several roles is asked: who it is by the first system message, and what it was told last. */
export type Asked = { who: string; last: string; chat: Chat; tools: string[]; options: Record<string, unknown> };

type Says = Partial<Reply> | string;

/** One backend that plays every agent: `play` answers for whoever is asked. Each reply uses 10 + 5 tokens unless it says otherwise. */
export const actors = (
  play: (asked: Asked, signal: AbortSignal | undefined) => Says | Promise<Says>,
  more: Partial<DirectBackend> = {},
) => {
  const asked: Asked[] = [];
  const backend: DirectBackend = {
    name: 'actors',
    async reply(chat, { tools, options, signal }) {
      const who = chat.find(({ role }) => role === 'system')?.content ?? 'nobody';
      const last = chat.at(-1)?.content ?? '';
      const one = {
        who,
        last,
        chat,
        tools: tools.map(({ name }) => name),
        options: options as Record<string, unknown>,
      };
      asked.push(one);
      const says = await play(one, signal);
      const reply = typeof says === 'string' ? { messages: [{ role: 'assistant', content: says }] } : says;
      return { messages: [], calls: [], usage: { pt: 10, ct: 5, tt: 15 }, ...reply };
    },
    ...more,
  };
  return { backend, asked };
};

/** A reply that asks for calls: `[id, tool, arguments]`. */
export const calling = (...calls: [string, string, unknown?][]): Partial<Reply> => ({
  calls: calls.map(([id, name, given = {}]) => ({ id, name, arguments: given })),
});

/** A reply that asks agents: `[id, agent, prompt, more]`. */
export const asking = (...calls: [string, string, string, object?][]): Partial<Reply> =>
  calling(
    ...calls.map(
      ([id, agent, prompt, more = {}]) => [id, 'ask', { agent, prompt, ...more }] as [string, string, unknown],
    ),
  );

/** Whether the last message of a chat is a tool's output. */
export const afterTools = ({ chat }: Asked): boolean => chat.at(-1)?.role === 'function_call_output';

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

/** The receipts of each output of a chat, by the id of its call. */
export const receipts = (chat: Chat) =>
  Object.fromEntries(
    chat.flatMap(({ role, content }) => {
      const output = role === 'function_call_output' ? parseOutput(content) : undefined;
      return output ? [[output.id, output.meta]] : [];
    }),
  );

/** All files below a folder, by their paths from it, sorted. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
