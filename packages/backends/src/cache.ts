import { mkdir, readdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reply } from './backend.js';
import { checkReply } from './check-reply.js';

/** Where finished inferences are kept. Defaults: 200 MB in all, 30 days each. */
export type CachePlace = {
  folder: string;
  maxBytes?: number;
  /** Milliseconds. */
  maxAge?: number;
};

/** A finished inference: what the model said, and the identity under which it was paid. */
export type CachedInference = {
  version: 1;
  backend: string;
  model: string;
  inferenceId: string;
  /** When the reply came, ISO 8601. */
  timestamp: string;
  reply: Reply;
};

/** An entry as it is listed. `text` is the beginning of what the model said. */
export type CacheEntry = {
  key: string;
  backend: string;
  model: string;
  timestamp: string;
  bytes: number;
  text: string;
};

const defaultMaxBytes = 200_000_000;
const defaultMaxAge = 30 * 24 * 60 * 60 * 1000;

const pathOf = ({ folder }: CachePlace, key: string): string => join(folder, `${key}.json`);

const isKey = (name: string): boolean => /^[0-9a-f]{64}\.json$/.test(name);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

// A damaged file is as good as none.
const parse = (text: string): CachedInference | undefined => {
  try {
    const { version, backend, model, inferenceId, timestamp, reply } = JSON.parse(text) as CachedInference;
    if (version !== 1 || ![backend, model, inferenceId, timestamp].every(isText)) return undefined;
    return { version, backend, model, inferenceId, timestamp, reply: checkReply(reply, backend) };
  } catch {
    return undefined;
  }
};

/** The inference that is kept under a key; undefined where there is none, it is too old, or the file is damaged. */
export const readCached = async (place: CachePlace, key: string, now: Date): Promise<CachedInference | undefined> => {
  const text = await readFile(pathOf(place, key), 'utf8').catch(() => undefined);
  const found = text === undefined ? undefined : parse(text);
  const age = now.getTime() - new Date(found?.timestamp ?? Number.NaN).getTime();
  return age <= (place.maxAge ?? defaultMaxAge) ? found : undefined;
};

type Stored = { path: string; name: string; bytes: number; at: number };

const listFiles = async ({ folder }: CachePlace): Promise<Stored[]> => {
  const names = (await readdir(folder).catch(() => [])).filter(isKey);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => undefined);
      return facts ? [{ path, name, bytes: facts.size, at: facts.mtimeMs }] : [];
    }),
  );
  return files.flat().sort((a, b) => b.at - a.at);
};

const isTemporary = (name: string): boolean => /^\.[0-9a-f]{64}\..+\.tmp$/.test(name);

// What a process that was killed while it wrote left behind; a living one is done in no time.
const abandonedAfter = 60 * 60 * 1000;

const removeAbandoned = async ({ folder }: CachePlace, before: number): Promise<void> => {
  for (const name of (await readdir(folder).catch(() => [])).filter(isTemporary)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && facts.ctimeMs < before) await rm(path, { force: true });
  }
};

/** Removes what is too old, and the oldest above the limit of size. Sorts the files of the folder: not for each request. */
export const pruneCache = async (place: CachePlace, now: Date): Promise<void> => {
  let total = 0;
  await removeAbandoned(place, now.getTime() - abandonedAfter);
  for (const { path, bytes, at } of await listFiles(place)) {
    total += bytes;
    const tooOld = now.getTime() - at > (place.maxAge ?? defaultMaxAge);
    if (tooOld || total > (place.maxBytes ?? defaultMaxBytes)) await rm(path, { force: true });
  }
};

/** Keeps an inference: atomically, in a file that only its owner may read. `suffix` names the temporary file. */
export const writeCached = async (
  place: CachePlace,
  key: string,
  inference: CachedInference,
  suffix: string,
): Promise<void> => {
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  const temporary = join(place.folder, `.${key}.${suffix}.tmp`);
  try {
    await writeFile(temporary, JSON.stringify(inference), { mode: 0o600, flag: 'wx' });
    // The age of a file is that of its reply, by the clock of the context.
    const time = new Date(inference.timestamp);
    await utimes(temporary, time, time);
    await rename(temporary, pathOf(place, key));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
};

const shown = 80;

/** What is kept, the newest first. Files that can't be read are left out. */
export const listCache = async (place: CachePlace): Promise<CacheEntry[]> => {
  const entries: CacheEntry[] = [];
  for (const { path, name, bytes } of await listFiles(place)) {
    const found = parse(await readFile(path, 'utf8').catch(() => ''));
    if (!found) continue;
    const { backend, model, timestamp, reply } = found;
    const text = reply.messages
      .map(({ content }) => content)
      .join(' ')
      .slice(0, shown);
    entries.push({ key: name.slice(0, -'.json'.length), backend, model, timestamp, bytes, text });
  }
  return entries;
};

/** Removes what is kept: all, or what is older than `before`. Other files of the folder are left alone. */
export const clearCache = async (
  place: CachePlace,
  { before }: { before?: Date } = {},
): Promise<{ removed: number; bytes: number }> => {
  const files = (await listFiles(place)).filter(({ at }) => before === undefined || at < before.getTime());
  for (const { path } of files) await rm(path, { force: true });
  await removeAbandoned(place, before?.getTime() ?? Number.POSITIVE_INFINITY);
  return { removed: files.length, bytes: files.reduce((total, { bytes }) => total + bytes, 0) };
};
