import type { Message } from '@colophon/chat-format';
import { stopIfAborted } from './abort.js';
import type { CompileContext, FileFacts } from './context.js';
import { notFoundError, type Searched, wrongKindError } from './errors.js';
import { isAbsolutePath, isRemote, joinPath, parentOf } from './paths.js';

/** What was found for a name: a path of the wanted kind, or where it was looked for and what else is there. */
export type Lookup =
  | { path: string; facts: FileFacts }
  | ({ path?: undefined; other?: { path: string; kind: FileFacts['kind'] } } & Searched);

/** A path below the home folder as an absolute one. */
export const withHome = (name: string, { home }: CompileContext): string =>
  home !== undefined && (name === '~' || name.startsWith('~/')) ? joinPath(home, name.slice(2) || '.') : name;

/** The file that a message was written in, where there is one on the disk. */
const fileOf = (message: Message | undefined, context: CompileContext): string | undefined => {
  const file = message?.at?.file ?? context.origin;
  return file === undefined || isRemote(file) ? undefined : joinPath(context.workingDirectory, file);
};

const placesFor = (name: string, context: CompileContext, message: Message | undefined): string[] => {
  const path = withHome(name, context);
  if (isAbsolutePath(path)) return [joinPath('/', path)];
  const file = fileOf(message, context);
  const folders = [
    ...(file === undefined ? [] : [parentOf(file), joinPath(parentOf(file), 'chats')]),
    context.workingDirectory,
    ...context.roots.map((root) => joinPath(root, 'chats')),
  ];
  const places = folders.map((folder) => joinPath(folder, path));
  return [...new Set([...places, ...places.map((place) => `${place}.chat`)])];
};

/** Looks a name up as `findFile` does, and returns what it finds instead of throwing. */
export const lookUp = async (
  name: string,
  context: CompileContext,
  message: Message | undefined,
  wanted: 'file' | 'directory',
): Promise<Lookup> => {
  const places = placesFor(name, context, message);
  let other: { path: string; kind: FileFacts['kind'] } | undefined;
  let failed: { cause: unknown } | undefined;
  for (const path of places) {
    stopIfAborted(context);
    try {
      const facts = await context.files.stat(path);
      if (facts?.kind === wanted) return { path, facts };
      if (facts) other ??= { path, kind: facts.kind };
    } catch (cause) {
      failed ??= { cause };
    }
  }
  stopIfAborted(context);
  return { places, ...(other ? { other } : {}), ...failed };
};

/** Where a path really is: one file has one such path, whatever links lead to it. */
export const realPathOf = async (path: string, { files }: CompileContext): Promise<string> => {
  try {
    return (await files.realPath?.(path)) ?? path;
  } catch {
    return path;
  }
};

type Sought = { message?: Message | undefined; kind?: 'file' | 'directory' };

/** The same as `findFile`, with what is known of the file. */
export const locate = async (
  name: string,
  context: CompileContext,
  { message, kind = 'file' }: Sought = {},
): Promise<{ path: string; facts: FileFacts }> => {
  const found = await lookUp(name, context, message, kind);
  if (found.path !== undefined) return found;
  if (found.other) throw wrongKindError(message, found.other.path, kind, found.other.kind);
  throw notFoundError(message, name, kind, found);
};

/**
 * The path of a file that a chat names: next to the file that names it (`message.at.file`, else the context's origin), in that
 * folder's `chats/`, in the working directory, in `chats/` of each root; then the same places with `.chat` added. An absolute path
 * is itself, and so is `~/…` where the context has a home.
 *
 * @throws ColophonError `not_found` with the places looked at (and the cause where one can't be reached), or `wrong_kind` where only a folder (a file) has the name.
 */
export const findFile = async (name: string, context: CompileContext, sought?: Sought): Promise<string> =>
  (await locate(name, context, sought)).path;
