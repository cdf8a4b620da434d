import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import type { FileFacts, Files } from '../context.js';

/** Bytes after which a page is given up, and milliseconds. */
const pageLimit = 20_000_000;
const pageTimeout = 30_000;

/** Errors that say that a path leads to nothing. */
const nothing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE']);

const factsOf = async (path: string): Promise<FileFacts | undefined> => {
  try {
    const facts = await stat(path);
    return { kind: facts.isFile() ? 'file' : facts.isDirectory() ? 'directory' : 'other', size: facts.size };
  } catch (error) {
    if (nothing.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

const readStart = async (path: string, length: number): Promise<Uint8Array> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** An address as fetch takes it: what stands before its `@` goes into a header. Errors of fetch would show it. */
const readAddress = (address: string): { url: URL; headers: Record<string, string> } => {
  if (!URL.canParse(address)) throw new Error('it is no valid address');
  const url = new URL(address);
  if (url.username === '' && url.password === '') return { url, headers: {} };
  const login = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  url.username = '';
  url.password = '';
  return { url, headers: { authorization: `Basic ${login.toString('base64')}` } };
};

const fetchText = async (address: string, signal?: AbortSignal): Promise<string> => {
  const timeout = AbortSignal.timeout(pageTimeout);
  const { url, headers } = readAddress(address);
  const response = await fetch(url, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trim());
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > pageLimit) throw new Error(`the page has more than ${pageLimit} bytes`);
    parts.push(part);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
};

/** The disk of this machine, and the network for chats that are imported from an address (20 MB, 30 seconds at most). */
export const diskFiles: Files = {
  stat: factsOf,
  readBytes: (path, length) => (length === undefined ? readFile(path) : readStart(path, length)),
  list: (path) => readdir(path),
  realPath: (path) => realpath(path),
  fetchText,
};
