import { readFile } from 'node:fs/promises';
import { ColophonError } from './errors.js';
import { workflowImportError, workflowLoadError, workflowSyntaxError } from './load-errors.js';

type Place = { file: string; line: number };

const longestFrame = 5000;
const longestMessage = 20_000;

/** The line of a file where an import of a specifier stands. */
const placeOfImport = async (file: string, specifier: string): Promise<Place | undefined> => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const index = lines.findIndex((line) => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`));
  return index < 0 ? undefined : { file, line: index + 1 };
};

/** The innermost place of a stack that stands in one of the files. */
const placeOfThrow = (stack: string, files: readonly string[]): Place | undefined => {
  for (const frame of stack.split('\n')) {
    if (frame.length > longestFrame) continue;
    const [, path = '', line = ''] = /^ +at (?:.* \()?(?:async )?(?:file:\/\/)?(\/.*):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (files.includes(path)) return { file: path, line: Number(line) };
  }
  return undefined;
};

/**
 * What went wrong while a workflow was loaded, as an error of ours with its place. `files` are those that were read, `file` is the
 * workflow's own. Lines are those of the source; columns are told of syntax errors only, where they are exact.
 */
export const toLoadError = async (thrown: unknown, file: string, files: readonly string[]): Promise<ColophonError> => {
  const {
    message = '',
    stack = '',
    code,
    requireStack,
    name,
  } = (thrown ?? {}) as Partial<NodeJS.ErrnoException> & {
    requireStack?: string[];
  };
  const at = placeOfThrow(String(stack), [file, ...files]);
  const said = String(message).slice(0, longestMessage);
  const [, problem, path = file, line, column] =
    /^ParseError: ([^\n]*?)\.?\s*\n ([^\n]*):(\d+):(\d+)$/.exec(said) ?? [];
  if (problem !== undefined) {
    const place = { file: path, line: Number(line), column: Number(column) + 1 };
    return workflowSyntaxError(place, problem, file, thrown);
  }
  const [, missing] = /^Cannot find (?:module|package) '([^'\n]*)'/.exec(said) ?? [];
  if (missing !== undefined && (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND')) {
    const place = await placeOfImport(requireStack?.[0] ?? file, missing);
    return workflowImportError(place ?? at, missing, file, thrown);
  }
  if (name === 'SyntaxError' && at && /\.json: /.test(said)) {
    return workflowSyntaxError({ ...at }, said.replace(/\s+/g, ' '), file, thrown);
  }
  return name === 'ColophonError' ? atPlace(thrown as ColophonError, at, file) : workflowLoadError(at, file, thrown);
};

/** An error of ours that a definition threw: with its code, and where it stands. */
const atPlace = (error: ColophonError, at: Place | undefined, file: string): ColophonError =>
  !at || error.facts?.at
    ? error
    : new ColophonError(error.code, error.message, { ...error.facts, at, file, cause: error });
