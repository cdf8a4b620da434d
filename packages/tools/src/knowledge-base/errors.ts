import { ColophonError } from '@colophon/chat-format';

const list = (names: readonly string[]): string =>
  names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder, expected a TSV file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? '');

/** `kb_file`: a file or folder that can't be read. */
export const unreadable = (file: string, cause: unknown) =>
  new ColophonError(
    'kb_file',
    `${file} can't be read: ${reasons[codeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause))}.`,
    { file, cause },
  );

/** `kb_encoding`: bytes that are no text. */
export const notText = (file: string, line: number, found: string) =>
  new ColophonError('kb_encoding', `${found}; expected TSV in UTF-8. Convert the file (iconv -t UTF-8).`, {
    at: { file, line },
  });

/** `kb_table`: a TSV file that can't be understood as associations. */
export const badTable = (file: string, line: number, problem: string) =>
  new ColophonError('kb_table', `${problem}.`, { at: { file, line } });

/** `kb_options`: options of a database that can't be meant so. `where` is a file, or the line that holds them. */
export const badOptions = (where: string, problem: string, cause?: unknown) =>
  new ColophonError('kb_options', `Options of ${where}: ${problem}.`, { where, cause });

/** `unknown_knowledge_base`: no folder of that name holds databases. */
export const unknownKnowledgeBase = (name: string, known: readonly string[], places: readonly string[]) =>
  new ColophonError(
    'unknown_knowledge_base',
    `There is no knowledge base \`${name}\`; known: ${list(known)}. Looked at: ${places.join(', ') || 'nothing, since no roots were given'}.`,
    { name, known, places },
  );

/** `unknown_database`: a knowledge base has no database of that name. */
export const unknownDatabase = (folder: string, name: string, known: readonly string[]) =>
  new ColophonError('unknown_database', `${folder} has no database \`${name}\`; it has: ${list(known)}.`, {
    folder,
    name,
    known,
  });

/** `empty_knowledge_base`: a folder without TSV files. `scout` tells that it holds a Scout registry instead. */
export const emptyKnowledgeBase = (folder: string, scout: boolean) =>
  new ColophonError(
    'empty_knowledge_base',
    scout
      ? `${folder} is a Scout knowledge base: its registry and indices are not read. Put the TSV files that it was registered from into the folder, as NAME.tsv, options in NAME.json.`
      : `${folder} has no databases: expected files NAME.tsv.`,
    { folder },
  );

/** `kb_changing`: a file that was written to each time it was read. */
export const keepsChanging = (file: string) =>
  new ColophonError('kb_changing', `${file} changes while it is read. Try again when it is written.`, {
    file,
    retryable: true,
  });

/** `disk_full`, `kb_build`: the SQLite file of a database can't be made. Nothing half built stays. */
export const buildFailed = (file: string, place: string, cause: unknown) => {
  const full = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(cause));
  const problem = full
    ? 'the disk is full. Make room there, or in the folder for temporary files'
    : cause instanceof Error
      ? cause.message
      : String(cause);
  return new ColophonError(
    full ? 'disk_full' : 'kb_build',
    `The database of ${file} can't be built at ${place}: ${problem}.`,
    {
      file,
      place,
      cause,
    },
  );
};

/** `kb_closed`: a database is asked after it was closed. */
export const closedDatabase = (name: string) =>
  new ColophonError('kb_closed', `The database \`${name}\` is closed. Open its knowledge base again.`, { name });
