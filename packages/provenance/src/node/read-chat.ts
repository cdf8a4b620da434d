import type { Stats } from 'node:fs';
import { type Chat, pairToolCalls, parseChat, type ToolCallPair } from '@colophon/chat-format';
import { chatFacts } from '../chat-facts.js';
import type { ChatFacts, Read } from '../facts.js';
import type { Intern } from '../intern.js';
import { emptyChatFacts } from '../nodes.js';
import type { Warning } from '../warning.js';
import { readWhole, toText } from './read-whole.js';

/** Facts of a chat file, and the state in which it was read; `stable`: the same before and after. */
export type ChatRead = Read<ChatFacts> & { stats: Stats; stable: boolean; bytes: number };

/**
 * What the caller wants kept of each chat beside the evidence: plain JSON, made of its messages and calls. Texts in it that were
 * cut out of messages go through `intern`, or all of the file stays in memory.
 */
export type Extract = {
  name: string;
  from: (chat: Chat, calls: readonly ToolCallPair[], intern: Intern) => unknown;
};

const warning = (code: Warning['code'], path: string, address: string, why: string): Warning => ({
  code,
  message: `${code}: ${address} ${why}`,
  path,
  address,
});

/** A picture, a program, a chat in UTF-16: NUL bytes at the beginning, as Git tells such files, and no line that begins a message. */
const isBinary = (bytes: Buffer, chat: Chat): boolean =>
  bytes.subarray(0, 8000).includes(0) && chat.every(({ role }) => role === 'user');

// Texts cut out of a file keep all of it in memory as long as they live; a copy by way of JSON does not.
const detached = <T>(facts: T): T => JSON.parse(JSON.stringify(facts));

/** Reads and parses a chat file; undefined where it has vanished. */
export const readChat = (path: string, before: Stats, intern: Intern, extract?: Extract): ChatRead | undefined => {
  const file = readWhole(path, before);
  if (file.kind === 'vanished') return undefined;
  const modified = file.stats.mtimeMs;
  if (file.kind === 'unreadable') {
    const why = `can't be read (${file.problem}); its evidence is left out. Check its kind and permissions.`;
    return {
      facts: { ...emptyChatFacts(), modified },
      warnings: [warning('unreadable', path, path, why)],
      stats: file.stats,
      stable: false,
      bytes: 0,
    };
  }
  const { text, wrongLine } = toText(file.bytes);
  const chat = parseChat(text);
  const calls = extract && pairToolCalls(chat);
  const { facts, warnings } = chatFacts(chat, path, modified, intern, calls);
  if (isBinary(file.bytes, chat))
    warnings.push(warning('not_text', path, path, 'is no text in UTF-8, so nothing of it is counted. Name a chat.'));
  else if (wrongLine !== undefined)
    warnings.push(warning('not_utf8', path, `${path}:${wrongLine}`, 'is not UTF-8; the rest of the chat is counted.'));
  if (file.changed)
    warnings.push(
      warning('changed_while_read', path, path, 'changed while it was read; read it again when its writer is done.'),
    );
  const extra = calls && extract.from(chat, calls, intern);
  return {
    facts: extra === undefined ? facts : { ...facts, extra },
    warnings: detached(warnings),
    stats: file.stats,
    stable: !file.changed,
    bytes: file.bytes.length,
  };
};

/** The messages of a chat file, bytes that are not UTF-8 as U+FFFD; undefined where it can't be read. */
export const readMessages = (path: string): Chat | undefined => {
  const file = readWhole(path);
  return file.kind === 'read' ? parseChat(toText(file.bytes).text, { file: path }) : undefined;
};
