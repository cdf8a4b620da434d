import { isUtf8 } from 'node:buffer';
import { badTable, notText } from './errors.js';

/** Lines that follow each other, without their ends; `first` is the number of the first, from 1. */
export type Lines = { first: number; lines: string[] };

// Far more than a row has; a file without line ends would else be held whole.
const longestLine = 64 * 1024 * 1024;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const checkText = (bytes: Buffer, first: number, file: string): void => {
  if (isUtf8(bytes) && !bytes.includes(0)) return;
  let line = first;
  for (let start = 0; start <= bytes.length; line += 1) {
    const end = bytes.indexOf(10, start);
    const part = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (!isUtf8(part)) throw notText(file, line, 'Bytes that are not UTF-8');
    if (part.includes(0)) throw notText(file, line, 'A NUL byte');
    start = end < 0 ? bytes.length + 1 : end + 1;
  }
};

const toLines = (bytes: Buffer, first: number, file: string): Lines => {
  const marked = first === 1 && bytes.subarray(0, 3).equals(byteOrderMark);
  const text = marked ? bytes.subarray(3) : bytes;
  checkText(text, first, file);
  return {
    first,
    lines: text
      .toString('utf8')
      .split('\n')
      .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)),
  };
};

/** The lines of a file that comes in chunks, some at a time. Throws `kb_encoding` with the line. Linear. */
export async function* readLines(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Lines> {
  let rest: Buffer[] = [];
  let length = 0;
  let first = 1;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10);
    if (end < 0) {
      rest.push(chunk);
      length += chunk.length;
      if (length > longestLine) throw badTable(file, first, `A line is longer than ${longestLine} bytes`);
      continue;
    }
    const read = toLines(Buffer.concat([...rest, chunk.subarray(0, end)]), first, file);
    yield read;
    first += read.lines.length;
    rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    length = chunk.length - end - 1;
  }
  if (length > 0) yield toLines(Buffer.concat(rest), first, file);
}
