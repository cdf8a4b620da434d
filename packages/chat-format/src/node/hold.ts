import { readFileSync, unlinkSync } from 'node:fs';
import { readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { heldError } from '../errors.js';
import { besideFile, withLock } from './lock.js';

/** Who holds a chat. `started` tells a process from a later one with the same number, where the system says it. */
type Owner = { pid: number; host: string; since: string; label?: string; started?: string };

/** A chat that this run holds. */
export type Hold = {
  /** Lets go of it; a second call does nothing. */
  release(): Promise<void>;
};

const renewMilliseconds = 5_000;
const staleMilliseconds = 60_000;

/**
 * Holds a chat file for one run, however long that takes; a second run is told who holds it (`held`). It keeps other
 * runs away, not writers: those take the lock for as long as they write. What a dead process of this machine held is
 * free at once, what one of another machine held after a minute.
 */
export const holdFile = (path: string, { label }: { label?: string } = {}): Promise<Hold> =>
  withLock(path, async (target) => {
    const place = besideFile(target, 'hold');
    const before = await readOwner(place);
    if (before && (await isAlive(before, place))) throw heldError(path, before, place);
    const owner: Owner = {
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      ...(label === undefined ? {} : { label }),
      ...startOf(process.pid),
    };
    const record = JSON.stringify(owner);
    // A process killed in the middle of this leaves a record that nobody can read, which holds nothing.
    await writeFile(place, record);

    const renew = setInterval(() => {
      const now = new Date();
      utimes(place, now, now).catch(() => {});
    }, renewMilliseconds);
    renew.unref();
    letGoAtExit(place, record);

    let released = false;
    return {
      async release() {
        if (released) return;
        released = true;
        clearInterval(renew);
        held.delete(place);
        if ((await readFile(place, 'utf8').catch(() => '')) === record) await unlink(place).catch(() => {});
      },
    };
  });

/** What this process holds: record by place. One listener for all, however many chats are held at once. */
const held = new Map<string, string>();

const letGoOfAll = () => {
  for (const [place, record] of held) {
    try {
      if (readFileSync(place, 'utf8') === record) unlinkSync(place);
    } catch {}
  }
};

const letGoAtExit = (place: string, record: string) => {
  if (!process.listeners('exit').includes(letGoOfAll)) process.on('exit', letGoOfAll);
  held.set(place, record);
};

const readOwner = async (place: string): Promise<Owner | undefined> => {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
};

const isAlive = async (owner: Owner, place: string): Promise<boolean> => {
  if (owner.host !== hostname()) return Date.now() - (await stat(place)).mtimeMs < staleMilliseconds;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const { started } = startOf(owner.pid);
  return owner.started === undefined || started === undefined || owner.started === started;
};

/** When a process started, in clock ticks since the machine did; nothing where there is no `/proc`. */
const startOf = (pid: number): { started?: string } => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // 4321 (a name) S 1 4321 …   the 20th field behind the name's bracket
    const started = status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
    return started === undefined ? {} : { started };
  } catch {
    return {};
  }
};
