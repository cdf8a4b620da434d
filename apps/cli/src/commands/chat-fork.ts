import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Chat, ColophonError, pairToolCalls, parseChat } from '@colophon/chat-format';
import { save } from '@colophon/chat-format/node';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { readChatText } from '../read-chat.js';
import { shownPath } from '../shown-path.js';
import { jsonOption } from '../write-result.js';

/** Lists the messages with their numbers: what one looks at to choose where to fork. */
const list = (chat: Chat, { stdout }: MachineContext) => {
  const widest = String(Math.max(0, chat.length - 1)).length;
  for (const [index, { role, content }] of chat.entries()) {
    const line = content
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, Math.max(20, stdout.columns - widest - 24));
    stdout.line(`${String(index).padStart(widest)}  ${role.padEnd(20)}  ${line}`.trimEnd());
  }
};

const messageNumber = (name: string): { file: string; index: number | undefined } => {
  const [, file = name, index] = /^(.*)#(\d+)$/.exec(name) ?? [];
  return { file, index: index === undefined ? undefined : Number(index) };
};

export const command = defineCommand({
  name: 'chat fork',
  description:
    'Start a new chat with the messages of another, up to and with one of them; the first is 0. Without #N the messages are listed with their numbers. Prints the path of the new chat.',
  arguments: [
    { name: 'FILE#N', description: 'a chat and the number of its last message to take', complete: 'chat' },
    { name: 'OUT', description: 'the new file; FILE-N.chat beside FILE when absent', optional: true, complete: 'file' },
  ],
  options: [{ name: 'force', description: 'write over a file that is there' }, jsonOption],
  examples: [
    ['colophon chat fork hello.chat', 'the messages and their numbers'],
    ['colophon chat fork hello.chat#4', 'hello-4.chat, with messages 0 to 4'],
    ['colophon chat fork hello.chat#4 other.chat', 'the same under another name'],
  ],
  run: async ({ words: [name, out], options }, context) => {
    const { file, index } = messageNumber(name!);
    const {
      text,
      file: shown,
      path,
    } = await readChatText(existsSync(resolve(context.workingDirectory, name!)) ? name! : file, context);
    const chat = parseChat(text, { file: shown });
    if (index === undefined) {
      if (out !== undefined)
        throw usageError(`say where to fork: ${name}#N (${name} alone lists the messages)`, 'chat fork');
      if (options.json)
        return context.stdout.line(
          JSON.stringify(
            chat.map(({ role, content }, number) => ({ number, role, content })),
            null,
            2,
          ),
        );
      return list(chat, context);
    }
    if (index >= chat.length)
      throw new ColophonError('no_such_message', `${shown} has no message ${index}; its last is ${chat.length - 1}`);
    const beside = path ?? join(context.workingDirectory, 'chat');
    const target =
      out === undefined
        ? join(dirname(beside), `${basename(beside, extname(beside))}-${index}.chat`)
        : resolve(context.workingDirectory, out);
    const kept = chat.slice(0, index + 1);
    const { written } = await save(kept, target, { force: options.force === true });
    if (!written)
      throw new ColophonError(
        'exists',
        `${shownPath(target, context)} exists; name another file, or write over it with --force`,
      );
    if (pairToolCalls(kept).some(({ outputAddress }) => outputAddress === null)) {
      context.log('warn', 'the fork ends in a call without its output; asking goes on from there');
    }
    context.stdout.line(
      options.json ? JSON.stringify({ path: target, messages: kept.length }) : shownPath(target, context),
    );
  },
});
