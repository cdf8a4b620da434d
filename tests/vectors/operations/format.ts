import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compileChat } from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import { type Chat, parseChat, parseJson, printChat } from '@colophon/chat-format';
import { save, type WriteResult, write, writeAnswer } from '@colophon/chat-format/node';
import type { Operation, Place } from '../vector.js';
import { saveAgentResult } from './agents.js';
import { plainMessages } from './chat-of.js';

const filesIn = async (folder: string): Promise<Record<string, string>> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
};

type Writer = (messages: Chat, path: string, options: { force?: boolean }, place: Place) => Promise<WriteResult>;

const writers: Record<string, Writer> = {
  save,
  write_answer: writeAnswer,
  write: (messages, path, options, { root }) => {
    const context = nodeContext({ workingDirectory: root, roots: [root] });
    return write(messages, path, { ...options, compile: (chat) => compileChat(chat, context) });
  },
};

/** Text and chats. */
export const format: Record<string, Operation> = {
  parse: ({ text, role }) => ({ messages: plainMessages(parseChat(text, role === undefined ? {} : { role })) }),
  parse_json: ({ text }) => ({ value: parseJson(text) }),
  print: ({ messages }) => ({ text: printChat(messages) }),
  roundtrip: ({ messages }) => {
    const text = printChat(messages);
    const read = parseChat(text);
    return { messages: plainMessages(read), stable: printChat(read) === text };
  },
  save: async (input, place) => {
    const { method, path, force, messages } = input;
    if (method === 'agent_result') {
      await saveAgentResult(input as Parameters<typeof saveAgentResult>[0], place);
      return { files: await filesIn(dirname(path)) };
    }
    const writer = writers[method];
    if (!writer) throw new Error(`unknown method ${method}`);
    const { written } = await writer(messages, path, force === undefined ? {} : { force }, place);
    return { written, files: await filesIn(dirname(path)) };
  },
};
