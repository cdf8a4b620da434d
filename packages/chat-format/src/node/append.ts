import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileError, notReadableBackError } from '../errors.js';
import { hasWindowsLines, toLines } from '../line-ends.js';
import type { Chat, Message, PrintableMessage } from '../message.js';
import { parseChat } from '../parse-chat.js';
import { contentText, printChat } from '../print-chat.js';
import { nextLine, scanLines } from '../scan-lines.js';
import { decode } from './decode.js';
import { withLock } from './lock.js';
import { placeToWrite } from './paths.js';
import { type Roots, readBytes } from './read.js';
import { syncFolder, writeAtomically } from './write.js';

/** Adds messages to one chat file, again and again. */
export type Appender = {
  readonly path: string;
  /** Resolves when the messages are on the disk. Costs what is new, as long as no other program changes the file. */
  append(messages: readonly PrintableMessage[]): Promise<void>;
};

/** What is known of the file as it was left: enough to append without reading it again. */
type Left = Stamp & {
  windows: boolean;
  /** A line at which text that comes later may still open a block. */
  open: boolean;
  /** The file ends within a line. */
  torn: boolean;
};
type Stamp = { size: bigint; mtime: bigint; inode: bigint };

/** Adds messages to a chat file, under its lock. What stands there still reads as before; the file is created if needed. */
export const appendMessages = async (
  path: string,
  messages: readonly PrintableMessage[],
  roots: Roots = {},
): Promise<void> => {
  const appender = await openAppender(path, roots);
  await appender.append(messages);
};

/** Makes an appender, which remembers how it left the file. */
export const openAppender = async (path: string, { roots }: Roots = {}): Promise<Appender> => {
  const place = await placeToWrite(path, roots);
  let left: Left | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    path: place,
    async append(messages) {
      const printed = printChat(messages);
      if (printed === '') return;
      const added = messages.map((message) => ({ role: message.role, content: contentText(message) }));
      // One after the other, as they were asked for, whether or not the one before went well.
      const append = last.then(async () => {
        left = await withLock(place, (target) => appendText(target, `${printed}\n`, added, left));
      });
      last = append.catch(() => {});
      await append;
    },
  };
};

const appendText = async (path: string, text: string, added: Chat, left: Left | undefined): Promise<Left> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o666);
    const stamp = await stampOf(handle);
    const same = left && stamp.size === left.size && stamp.mtime === left.mtime && stamp.inode === left.inode;
    if (left && same && !(left.open && mayClose(text))) {
      const addition = additionTo(left, text);
      if (!sameMessages(parseChat(addition), [], added)) throw notReadableBackError(path);
      return await add(handle, path, stamp, addition, left);
    }
    const bytes = await readBytes(handle, path);
    const old = decode(bytes, path);
    const known = inspect(old);
    const addition = additionTo(known, text);
    const before = parseChat(old);
    const appended = sameMessages(parseChat(old + addition), before, added);
    if (appended && isUtf8(bytes)) return await add(handle, path, stamp, addition, known);

    const rewritten = appended ? old + addition : `${printChat(before)}${before.length > 0 ? '\n' : ''}${text}`;
    if (!appended && !sameMessages(parseChat(rewritten), before, added)) throw notReadableBackError(path);
    await writeAtomically(path, rewritten, { locked: true });
    const fresh = await open(path, 'r');
    const after = await stampOf(fresh).finally(() => fresh.close());
    return { ...inspect(rewritten), ...after };
  } catch (cause) {
    throw fileError('append to', path, cause);
  } finally {
    await handle?.close();
  }
};

const stampOf = async (handle: FileHandle): Promise<Stamp> => {
  const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
  return { size, mtime: mtimeNs, inode: ino };
};

type Ending = Omit<Left, keyof Stamp>;

const inspect = (old: string): Ending => {
  let open = false;
  const scan = scanLines(toLines(old));
  while (!open && nextLine(scan)) open = scan.kind === 'open';
  return { windows: hasWindowsLines(old), open, torn: old !== '' && !old.endsWith('\n') };
};

/** Whether a text holds what could end a block that was opened before it. */
const mayClose = (text: string) => ['```', ']]', '}}}', '</'].some((end) => text.includes(end));

/** The text in the line ends of the file. A line that was cut off stays a line of its own. */
const additionTo = ({ windows, torn }: Ending, text: string) => {
  const whole = torn ? `\n${text}` : text;
  return windows ? whole.replaceAll('\n', '\r\n') : whole;
};

const sameMessages = (all: readonly Message[], before: readonly Message[], added: readonly Message[]) =>
  all.length === before.length + added.length &&
  all.every(({ role, content }, index) => {
    const other = before[index] ?? added[index - before.length]!;
    return role === other.role && content === other.content;
  });

/** Writes at the end of the file and on to the disk, or leaves the file as it was. */
const add = async (handle: FileHandle, path: string, stamp: Stamp, addition: string, known: Ending): Promise<Left> => {
  const bytes = Buffer.from(addition);
  let done = 0;
  try {
    while (done < bytes.length) done += (await handle.write(bytes, done)).bytesWritten;
    await handle.sync();
    if (stamp.size === 0n) await syncFolder(path);
  } catch (cause) {
    const { size } = await handle.stat({ bigint: true });
    if (size === stamp.size + BigInt(done)) await handle.truncate(Number(stamp.size)).catch(() => {});
    throw cause;
  }
  const after = await stampOf(handle);
  const { windows, open } = known;
  return { ...after, windows, open, torn: false };
};
