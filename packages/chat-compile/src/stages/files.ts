import { type Chat, type Message, parseMeta } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
import { emptyError, remoteFileError, totalSizeError } from '../errors.js';
import { fileText, folderMessages } from '../file-messages.js';
import { findFile, locate, withHome } from '../find-file.js';
import { isRemote, joinPath } from '../paths.js';
import { stepAnswer } from '../step-answer.js';

/** A message and what is known where it stands. `room`: characters that files may still add. */
type Place = { message: Message; context: CompileContext; lastJob: string | undefined; room: number };

const nameIn = ({ message }: Place, expected: string): string => {
  const name = message.content.trim();
  if (name === '') throw emptyError(message, expected);
  return name;
};

const file = async (place: Place): Promise<Chat> => {
  const { message, context } = place;
  const name = nameIn(place, 'the name of a file');
  if (isRemote(name)) throw remoteFileError(message, name);
  const found = await locate(name, context, { message });
  return [{ ...message, role: 'user', content: await fileText(found, name, message, context) }];
};

const directory = async (place: Place): Promise<Chat> => {
  const { message, context, room } = place;
  const name = nameIn(place, 'the name of a folder');
  if (isRemote(name)) throw remoteFileError(message, name);
  return folderMessages(message, context, room);
};

const attachment = async (place: Place): Promise<Chat> => {
  const { message, context } = place;
  const name = nameIn(place, 'the name of a file or an address');
  if (isRemote(name) || /^data:/i.test(name)) return [{ ...message, content: name }];
  return [{ ...message, content: await findFile(name, context, { message }) }];
};

const step = async ({ message, context, lastJob }: Place): Promise<Chat> => [
  await stepAnswer(message, lastJob, context),
];

const grant =
  (kind: 'writable' | 'readable') =>
  async (place: Place): Promise<Chat> => {
    const { context } = place;
    const path = joinPath(context.workingDirectory, withHome(nameIn(place, 'a path'), context));
    context.grants[kind].push(path);
    return [];
  };

/** What each role of this stage becomes. */
const readers = {
  file,
  directory,
  image: attachment,
  pdf: attachment,
  step,
  allow_path: grant('writable'),
  allow_read_path: grant('readable'),
} satisfies Record<string, (place: Place) => Promise<Chat>>;

const isReader = (role: string): role is keyof typeof readers => Object.hasOwn(readers, role);

const sizeOf = (chat: Chat): number => chat.reduce((sum, { content }) => sum + content.length, 0);

/**
 * Reads what a chat names: `file` and `directory` become `user` messages, `image` and `pdf` keep their role with an absolute path or
 * the address, `step` becomes the answer of a job, `allow_path` and `allow_read_path` become grants (relative to the working
 * directory) and leave the chat.
 *
 * @throws ColophonError `empty_directive`, `not_found`, `wrong_kind`, `remote_file`, `unreadable`, `not_text`, `too_large`,
 * `total_size`, and for `step` `no_workflows`, `no_step`, `task_failed`, `job_failed`, `not_allowed`, `not_json`.
 */
export const files = async (chat: Chat, context: CompileContext): Promise<Chat> => {
  if (context.policy === 'inspect') return chat;
  const { totalCharacters } = context.limits;
  const result: Chat = [];
  let lastJob: string | undefined;
  let room = totalCharacters;
  for (const message of chat) {
    const { role } = message;
    if (role === 'meta') {
      const { job } = parseMeta(message.content);
      if (job !== undefined && job !== '') lastJob = String(job);
    }
    if (!isReader(role)) {
      result.push(message);
      continue;
    }
    const messages = await readers[role]({ message, context, lastJob, room });
    if (role === 'file' || role === 'directory') room -= sizeOf(messages);
    if (room < 0) throw totalSizeError(message, 'files', totalCharacters);
    for (const one of messages) result.push(one);
  }
  return result;
};
