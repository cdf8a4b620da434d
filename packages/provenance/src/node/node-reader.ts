import { createHash } from 'node:crypto';
import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { ChatFacts, JobFacts, Read } from '../facts.js';
import { createIntern } from '../intern.js';
import type { FolderEntry, Reader } from '../reader.js';
import { openFactsIndex } from './facts-index.js';
import { findJob } from './find-job.js';
import { createLook, kindOf, realPathOf } from './look.js';
import { type Extract, readChat, readMessages } from './read-chat.js';
import { readInfo, toJob } from './read-job.js';
import { readWhole, stateOf, statsOf } from './read-whole.js';

/** Where files and jobs are found, and what is kept of them. All of it may be left out. */
export type NodeReaderOptions = {
  /** Search roots: each has jobs in `<root>/var/jobs`. Files below them are part of a session wherever they are linked from. */
  roots?: readonly string[] | undefined;
  /** Folders that hold jobs themselves, before those of `roots`. */
  jobRoots?: readonly string[] | undefined;
  /** The home folder: adds `~/.scout/var/jobs` and `~/.rbbt/var/jobs`. */
  home?: string | undefined;
  /** What relative references are relative to, before roots are searched. */
  workingDirectory?: string | undefined;
  /** Folder in which facts are kept between runs. Without it nothing is ever written. */
  index?: string | undefined;
  /** What is to be kept of each chat beside its evidence, in `facts.extra`. Change its name when it makes something else. */
  extract?: Extract | undefined;
};

/** How much was read of files, and how many facts were known already, in this run or from the index. */
export type ReadStatistics = { filesRead: number; bytesRead: number; fromCache: number; fromIndex: number };

// Reading does not wait; after so many bytes, timers and signals get their turn.
const bytesPerTurn = 4_000_000;

// A file may change again within one tick of its clock, unseen: such a state is not trusted for another run.
const isSettled = ({ mtimeMs, ctimeMs }: Stats): boolean =>
  Date.now() - Math.max(mtimeMs, ctimeMs) > (mtimeMs % 1000 === 0 ? 2000 : 50);

const list = (folder: string): FolderEntry[] | undefined => {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? 'link' : kindOf(entry),
    }));
  } catch {
    return undefined;
  }
};

const jobRootsOf = ({ roots = [], jobRoots = [], home }: NodeReaderOptions): string[] => [
  ...jobRoots,
  ...roots.map((root) => join(root, 'var/jobs')),
  ...(home === undefined ? [] : [join(home, '.scout/var/jobs'), join(home, '.rbbt/var/jobs')]),
];

/**
 * Reads sessions from files. Each file is read and parsed once while its path, size and time of change stay the same; what is kept
 * are facts, no texts. With `index`, facts outlive the run, keyed by inode and change of status too.
 */
export const nodeReader = (options: NodeReaderOptions = {}): Reader & { statistics: ReadStatistics } => {
  const { roots = [], workingDirectory, extract } = options;
  const jobRoots = jobRootsOf(options);
  const version = `1 ${extract?.name ?? '-'}`;
  const index = options.index === undefined ? undefined : openFactsIndex(options.index, version);
  const cache = new Map<string, { state: string; value: unknown }>();
  const statistics: ReadStatistics = { filesRead: 0, bytesRead: 0, fromCache: 0, fromIndex: 0 };
  const { look, forget } = createLook();
  const texts = createIntern();
  let sinceTurn = 0;

  /** What is known of a file in its present state, or what `read` makes of it. */
  const remember = <Value>(
    name: string,
    stats: Stats,
    read: () => { value: Value; stats: Stats; stable: boolean; bytes: number } | undefined,
  ): Value | undefined => {
    const state = `${stats.size} ${stats.mtimeMs}`;
    const cached = cache.get(name);
    if (cached?.state === state) {
      statistics.fromCache += 1;
      return cached.value as Value;
    }
    const indexed = index?.get(name, stateOf(stats));
    if (indexed !== undefined) {
      statistics.fromIndex += 1;
      cache.set(name, { state, value: indexed });
      return indexed as Value;
    }
    const made = read();
    if (!made) return undefined;
    statistics.filesRead += 1;
    statistics.bytesRead += made.bytes;
    sinceTurn += made.bytes;
    if (made.stable) {
      cache.set(name, { state: `${made.stats.size} ${made.stats.mtimeMs}`, value: made.value });
      if (isSettled(made.stats)) index?.set(name, stateOf(made.stats), made.value);
    }
    return made.value;
  };

  const turn = async (): Promise<void> => {
    if (sinceTurn < bytesPerTurn) return;
    sinceTurn = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };

  const chat = async (path: string): Promise<Read<ChatFacts> | undefined> => {
    const stats = statsOf(path);
    if (!stats) return undefined;
    const read = remember(`chat:${path}`, stats, () => {
      const made = readChat(path, stats, texts.intern, extract);
      return made && { ...made, value: { facts: made.facts, warnings: made.warnings } };
    });
    await turn();
    return read;
  };

  const job = async (path: string): Promise<Read<JobFacts>> => {
    const [info, result] = [statsOf(`${path}.info`), statsOf(path)];
    const known = info && remember(`info:${path}.info`, info, () => readInfo(path, info));
    await turn();
    return toJob(path, known, { info, result });
  };

  const digest = (path: string, stats: Stats): string | undefined =>
    remember(`bytes:${path}`, stats, () => {
      const file = readWhole(path);
      if (file.kind !== 'read') return undefined;
      const value = createHash('sha256').update(file.bytes).digest('hex');
      return { value, stats: file.stats, stable: !file.changed, bytes: file.bytes.length };
    });

  const same = async (first: string, second: string): Promise<boolean> => {
    const [one, other] = [statsOf(first), statsOf(second)];
    if (!one?.isFile() || !other?.isFile() || one.size !== other.size) return false;
    const digestOfOne = digest(first, one);
    return digestOfOne !== undefined && digestOfOne === digest(second, other);
  };

  return {
    look: async (path) => look(path),
    chat,
    job,
    list: async (folder) => list(folder),
    findJob: async (reference, referrer) => findJob(reference, referrer, { jobRoots, workingDirectory }),
    same,
    messages: async (path) => readMessages(path),
    roots: [...roots, ...jobRoots].flatMap((root) => realPathOf(root) ?? []),
    settle: async () => {
      forget();
      texts.forget();
      return index?.settle() ?? [];
    },
    statistics,
  };
};
