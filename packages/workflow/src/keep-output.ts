import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

/** What a program wrote to its standard output: its bytes, or, where they went to a file, their number alone. */
export type KeptOutput = { output?: Uint8Array; size: number };

/** Writes a stream to a file as it comes; memory holds a chunk at a time. */
export const writeOutput = async (stream: Readable, path: string): Promise<KeptOutput> => {
  const file = createWriteStream(path);
  await pipeline(stream, file);
  return { size: file.bytesWritten };
};

/** Collects a stream, at most `limit` bytes of it. */
export const collectOutput = async (stream: Readable, limit: number): Promise<KeptOutput> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) throw new Error(`it is more than ${limit} bytes; give a file for it`);
    chunks.push(chunk);
  }
  return { output: Buffer.concat(chunks), size };
};

/** Follows text that a program says; gives its last lines when it has said all. Cost: the new text. */
export const followLines = async (stream: Readable, onText: ((text: string) => void) | undefined): Promise<string> => {
  const longest = 4000;
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text.slice(-longest)).slice(-longest);
    onText?.(text);
  });
  await finished(stream).catch(() => undefined);
  return tail.trimEnd().split('\n').slice(-20).join('\n');
};
