import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseChat, parseJson, printChat } from '@colophon/chat-format';
import { save, writeAnswer } from '@colophon/chat-format/node';
import type { Operation } from '../vector.js';
import { plainMessages } from './chat-of.js';

const filesIn = async (folder: string): Promise<Record<string, string>> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
};

const writers = { save, write_answer: writeAnswer };

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
  save: async ({ method, path, force, messages }) => {
    const write = writers[method as keyof typeof writers];
    if (!write) throw new Error(`unknown method ${method}`);
    const { written } = await write(messages, path, force === undefined ? {} : { force });
    return { written, files: await filesIn(dirname(path)) };
  },
};
