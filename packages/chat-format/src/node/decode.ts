import { constants, isUtf8 } from 'node:buffer';
import { fileEncodingError, tooLongError } from '../errors.js';

/** A file of more bytes can't fit into a string, whatever it holds: a unit of a string takes at most three. */
export const mostBytes: number = 3 * constants.MAX_STRING_LENGTH;

/**
 * The text of a file's bytes. A character at the file's end that a crash cut off reads as U+FFFD; other bytes that are
 * not UTF-8 are an error.
 */
export const decode = (bytes: Buffer, path: string): string => {
  if (!isUtf8(bytes) && !isUtf8(withoutTorn(bytes))) {
    const wrong = firstWrong(bytes);
    let line = 1;
    for (let at = bytes.indexOf(10); at >= 0 && at < wrong; at = bytes.indexOf(10, at + 1)) line += 1;
    throw fileEncodingError(path, wrong, line);
  }
  try {
    return bytes.toString('utf8');
  } catch (cause) {
    throw tooLongError(path, cause);
  }
};

/** The bytes without the first ones of a character whose last ones are missing. */
const withoutTorn = (bytes: Buffer): Buffer => {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back);
    if (byte === undefined || byte < 0x80) break;
    if (byte < 0xc2) continue;
    const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
    return size > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
};

const firstWrong = (bytes: Buffer): number => {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUtf8(withoutTorn(bytes.subarray(0, middle)))) good = middle;
    else bad = middle;
  }
  return withoutTorn(bytes.subarray(0, good)).length;
};
