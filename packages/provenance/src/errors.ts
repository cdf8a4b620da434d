import { ColophonError } from '@colophon/chat-format';
import type { Warning } from './warning.js';

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** `unknown_relation`: a word in `follow` that names no relation. */
export const unknownRelationError = (received: unknown, known: readonly string[]): ColophonError =>
  new ColophonError(
    'unknown_relation',
    `\`${String(received)}\` is no relation that can be followed: expected some of ${list(known)}, or all of them by leaving \`follow\` out.`,
    { received, known },
  );

/** `unknown_scope`: a scope of totals that is none. */
export const unknownScopeError = (received: unknown, known: readonly string[]): ColophonError =>
  new ColophonError('unknown_scope', `\`${String(received)}\` is no scope of totals: expected one of ${list(known)}.`, {
    received,
    known,
  });

/** `root_missing`: nothing stands where a session was to begin. */
export const rootMissingError = (path: string): ColophonError =>
  new ColophonError(
    'root_missing',
    `There is no chat and no job at ${path}. Name a chat file, or the result of a job.`,
    {
      path,
    },
  );

/** `root_not_file`: what stands at the root is neither a chat nor a job. */
export const rootNotFileError = (path: string, kind: string): ColophonError =>
  new ColophonError('root_not_file', `${path} is a ${kind}, expected a chat file or the result of a job.`, { path });

/** A warning, in strict mode. Its code is the warning's. */
export const strictError = (warning: Warning): ColophonError =>
  new ColophonError(warning.code, warning.message, { warning });

const because = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).trim().split('\n')[0]!;

/** `picture_failed`: a session could not be laid out or painted. `kind` is the kind of file. */
export const pictureFailedError = (kind: 'SVG' | 'PNG', cause: unknown): ColophonError =>
  new ColophonError(
    'picture_failed',
    `The ${kind} picture could not be made: ${because(cause)}. A session may be too large for one picture: take its DOT or mermaid source, or draw a part of it.`,
    { kind, cause },
  );

/** `picture_missing`: a library that draws is not installed. */
export const pictureMissingError = (library: string, cause: unknown): ColophonError =>
  new ColophonError(
    'picture_missing',
    `Pictures need ${library}, which did not load: ${because(cause)}. Install it again (npm install ${library}) on this machine; DOT and mermaid sources need nothing.`,
    { library, cause },
  );

/** `picture_too_large`: in a PNG of a size that can be opened nobody could read it. Sizes in pixels. */
export const pictureTooLargeError = (width: number, height: number): ColophonError =>
  new ColophonError(
    'picture_too_large',
    `The picture is ${width} × ${height} pixels, too large for a PNG that can be read. Take SVG, which stays sharp in any size, or draw a part of the session.`,
    { width, height },
  );
