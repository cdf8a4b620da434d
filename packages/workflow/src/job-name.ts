import { createHash } from 'node:crypto';

const maxBytes = 150;
const hashLength = 12;

const sizeOf = (text: string): number => Buffer.byteLength(text);

/** Signs that no file name may have, or that cannot be seen: slashes, controls, joiners, halves of surrogate pairs, line ends. */
const unsafe = /[/\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Ends of the files beside a result, and of names that carry a digest. */
const taken = /\.(?:info|files|lock)$|_[a-z0-9]{32}(?:\.[a-z0-9]*)?$/i;

/**
 * Whether a text can be a file name as it is, here and among the files of jobs: one path segment of at most 150 bytes in composed
 * letters (NFC), which is not hidden, does not end in a dot or blank, and means no other job's file.
 */
export const isPlainName = (name: string): boolean =>
  name !== '' &&
  name.length <= maxBytes &&
  sizeOf(name) <= maxBytes &&
  name.search(unsafe) === -1 &&
  !name.includes('..') &&
  !/^[.\s]|[.\s]$/.test(name) &&
  !taken.test(name) &&
  name.normalize('NFC') === name;

/** The longest beginning of a text that has at most so many bytes. */
const cut = (text: string, bytes: number): string => {
  let size = 0;
  let end = 0;
  for (const sign of text) {
    size += sizeOf(sign);
    if (size > bytes) break;
    end += sign.length;
  }
  return text.slice(0, end);
};

/**
 * A job name as the files of the job carry it: itself where it is a plain name, else its readable part, `~` and 12 hex digits of
 * a hash of what was given. Two names meet only where one of them is written as the other's changed form, so that a name that
 * was read back from a job leads to that job.
 */
export const sanitizeName = (name: string): string => {
  if (isPlainName(name)) return name;
  // JSON escapes half surrogates, which UTF-8 would make equal.
  const hash = createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, hashLength);
  const readable = name
    .slice(0, maxBytes)
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/\.{2,}/g, '_');
  return `${cut(readable, maxBytes - hashLength - 1).replace(/^[.\s]/, '_')}~${hash}`;
};

/** File name of a job's result: `<name>[_<digest>][<extension>]`; `extension` with its dot, or empty. */
export const jobName = (name: string, digest: string | undefined, extension: string): string =>
  `${sanitizeName(name)}${digest === undefined ? '' : `_${digest}`}${extension}`;
