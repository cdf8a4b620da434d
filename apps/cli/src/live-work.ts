import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pairToolCalls, parseChat } from '@colophon/chat-format';
import { inboxPaths } from '@colophon/prompt-strategies';
import type { Reader } from '@colophon/provenance';
import { readJob } from '@colophon/workflow';
import type { MachineContext } from './context.js';
import { findLocks, isRunning } from './find-locks.js';

/** Kinds of work in flight, in the order in which they are listed. */
export const liveKinds = ['chat_task', 'dangling_job', 'agent_active', 'workflow', 'inbox'] as const;

/** Something that is going on: what, where, in which state, and what says so. */
export type LiveWork = {
  kind: (typeof liveKinds)[number];
  reference: string;
  state: string;
  sources: string[];
  log?: string;
  info?: string;
};

// What is looked at is bounded: a session may be large, and what others write may be anything.
const bounds = { chats: 200, lines: 10_000, jobs: 1000, depth: 5, tail: 1_000_000, names: 1000, recent: 3_600_000 };

const textOf = (path: string, most: number): string | undefined => {
  try {
    const { size } = statSync(path);
    if (size <= most) return readFileSync(path, 'utf8');
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(most);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, most, size - most));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
};

const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The chat itself: who holds it, and calls at its end that have no output yet. */
const ownWork = (path: string, now: number): LiveWork[] => {
  const hold = findLocks(dirname(path), new Date(now)).find(
    (found) => basename(found.path) === `.${basename(path)}.hold` && !found.stale,
  );
  const text = now - changed(path) < bounds.recent ? textOf(path, bounds.tail) : undefined;
  const chat = text === undefined ? [] : parseChat(text);
  const lastTurn = chat.findLastIndex(({ role }) => role === 'user' || role === 'assistant');
  const open = pairToolCalls(chat.slice(lastTurn + 1)).filter(({ outputAddress }) => outputAddress === null);
  const sources = [...(hold ? ['hold'] : []), ...(open.length > 0 ? ['messages'] : [])];
  if (sources.length === 0) return [];
  const names = [...new Set(open.map(({ name }) => name))].slice(0, 3).join(', ');
  const state = open.length > 0 ? `${open.length} open: ${names}` : hold!.said;
  return [{ kind: 'agent_active', reference: path, state, sources }];
};

const inboxWork = (path: string): LiveWork[] => {
  try {
    const notes = readdirSync(inboxPaths(path).inbox, { withFileTypes: true })
      .slice(0, bounds.names)
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    const state = `${notes.length} waiting`;
    return notes.length === 0 ? [] : [{ kind: 'inbox', reference: path, state, sources: ['inbox'] }];
  } catch {
    return [];
  }
};

/** The jobs that a chat waits for, as its `.jobs` file names them. */
const jobsNamedIn = (path: string): { reference: string; file: string }[] => {
  const file = inboxPaths(path).jobs;
  const lines = (textOf(file, bounds.tail) ?? '').split('\n').slice(0, bounds.lines);
  return [...new Set(lines.map((line) => line.trim()))]
    .filter((line) => line !== '')
    .map((reference) => ({ reference, file }));
};

/**
 * What goes on around chats: jobs that their `.jobs` files name, what these wait for, calls without an output, notes that wait. Only
 * what is not in the report already. At most 200 chats, the newest ones, and 1,000 jobs are looked at.
 */
export const liveWork = async (
  chats: readonly string[],
  reported: ReadonlySet<string>,
  reader: Reader,
  { now, home, roots }: MachineContext,
): Promise<LiveWork[]> => {
  const time = now().getTime();
  const newest = [...chats].sort((a, b) => changed(b) - changed(a)).slice(0, bounds.chats);
  const found = newest.flatMap((path) => [...ownWork(path, time), ...inboxWork(path)]);

  const jobRoots = [...roots.map(({ path }) => path), join(home, '.scout'), join(home, '.rbbt')];
  const options = { roots: jobRoots.map((root) => join(root, 'var/jobs')), host: hostname(), isAlive: isRunning, now };
  const seen = new Set<string>(reported);
  let level = newest.flatMap(jobsNamedIn);
  for (let depth = 0; depth < bounds.depth && seen.size - reported.size < bounds.jobs; depth++) {
    const next: typeof level = [];
    for (const { reference, file } of level) {
      const path = await reader.findJob(reference, file);
      const key = path ?? reference;
      if (seen.has(key)) continue;
      seen.add(key);
      const job = path === undefined ? undefined : await readJob(path, options).catch(() => undefined);
      const sources = [depth === 0 ? '.jobs' : 'dependency'];
      if (path === undefined || job === undefined) {
        if (depth === 0) found.push({ kind: 'dangling_job', reference, state: 'not found', sources });
        continue;
      }
      if (job.done && !job.running) continue;
      const log = join(`${path}.files`, 'agent.chat');
      const started = job.running || !['start', 'streaming', 'setup'].includes(job.status);
      found.push({
        kind: !started ? 'dangling_job' : job.type === 'chat' ? 'chat_task' : 'workflow',
        reference: job.shortPath,
        state: started ? job.status : `${job.status}, gone`,
        sources,
        ...(changed(log) > 0 ? { log } : {}),
        info: `${path}.info`,
      });
      for (const dependency of job.dependencies) next.push({ reference: dependency, file: path });
    }
    level = next;
  }
  return found.sort((a, b) => liveKinds.indexOf(a.kind) - liveKinds.indexOf(b.kind));
};
