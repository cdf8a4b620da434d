import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Warning } from '../warning.js';

/** Facts of files from earlier runs, by name and by the state in which the file was. */
export type FactsIndex = {
  get: (name: string, state: string) => unknown;
  set: (name: string, state: string, value: unknown) => void;
  /** Writes what is new, and tells what was wrong with the index since the last time. */
  settle: () => Warning[];
};

type Entry = { state: string; start: number; end: number } | { state: string; value: unknown };
type Shard = {
  file: string;
  bytes: Buffer;
  entries: Map<string, Entry>;
  pending: string[];
  size: number;
  lines: number;
  rebuild: boolean;
};

// Below this many lines a shard is never rewritten for being mostly out of date.
const leastLines = 64;

// Length of lines that wait to be written, in UTF-16 units.
const mostPending = 4_000_000;

/** The folder that a file belongs to: above the sidecars that hold it, so that a job's files share its shard. */
const ownerOf = (name: string): string => {
  const sidecar = name.search(/\.(files|society)\//);
  const path = sidecar < 0 ? name : name.slice(0, sidecar);
  return path.slice(0, path.lastIndexOf('/') + 1);
};

const checksum = (text: string | Buffer): string => crc32(text).toString(16).padStart(8, '0');

/** `<CRC-32 of the rest>\t<JSON of [name, state]>\t<JSON of the value>`. */
const lineOf = (name: string, state: string, value: unknown): string => {
  const rest = `${JSON.stringify([name, state])}\t${JSON.stringify(value)}`;
  return `${checksum(rest)}\t${rest}\n`;
};

/**
 * An index of facts in a folder: JSON lines, one file for each folder of sessions or jobs, to which each run appends. A line
 * that does not fit its checksum, or a file of another version, is left out and told, and the file written anew. Two processes may
 * use one index: a line is appended in one piece, and what one of them loses the other makes again.
 */
export const openFactsIndex = (folder: string, version: string): FactsIndex => {
  const shards = new Map<string, Shard>();
  const warnings: Warning[] = [];
  const header = `colophon facts ${version}\n`;

  const damaged = (file: string, why: string): void => {
    warnings.push({
      code: 'damaged_index',
      message: `damaged_index: ${file} ${why}; what it holds is read from the chats themselves.`,
      path: file,
      address: file,
    });
  };

  const load = (shard: Shard): void => {
    if (!existsSync(shard.file)) return;
    try {
      shard.bytes = readFileSync(shard.file);
    } catch (error) {
      damaged(shard.file, `can't be read (${(error as NodeJS.ErrnoException).code})`);
      return;
    }
    const { bytes } = shard;
    if (bytes.subarray(0, header.length).toString('utf8') !== header) {
      shard.rebuild = true;
      damaged(shard.file, 'is no index of facts');
      return;
    }
    for (let start = header.length; start < bytes.length; ) {
      const end = bytes.indexOf(10, start);
      // A last line without its end is still being written, or was cut off by a crash.
      if (end < 0) {
        shard.rebuild = true;
        break;
      }
      const tab = bytes.indexOf(9, start + 9);
      const intact =
        tab > 0 && tab < end && bytes.toString('latin1', start, start + 8) === checksum(bytes.subarray(start + 9, end));
      if (intact) {
        const [name, state] = JSON.parse(bytes.toString('utf8', start + 9, tab)) as [string, string];
        shard.entries.set(name, { state, start: tab + 1, end });
      } else if (!shard.rebuild) {
        shard.rebuild = true;
        damaged(shard.file, 'has lines that are damaged');
      }
      shard.lines += 1;
      start = end + 1;
    }
  };

  const shardOf = (name: string): Shard => {
    const owner = ownerOf(name);
    const known = shards.get(owner);
    if (known) return known;
    const file = join(
      folder,
      `${createHash('sha256')
        .update(header + owner)
        .digest('hex')
        .slice(0, 24)}.jsonl`,
    );
    const shard: Shard = {
      file,
      bytes: Buffer.alloc(0),
      entries: new Map(),
      pending: [],
      size: 0,
      lines: 0,
      rebuild: false,
    };
    shards.set(owner, shard);
    load(shard);
    return shard;
  };

  const valueAt = (shard: Shard, entry: Entry): unknown =>
    'value' in entry ? entry.value : JSON.parse(shard.bytes.toString('utf8', entry.start, entry.end));

  const rewrite = (shard: Shard): void => {
    const lines = [...shard.entries]
      .filter(([name]) => existsSync(name.slice(name.indexOf(':') + 1)))
      .map(([name, entry]) => lineOf(name, entry.state, valueAt(shard, entry)));
    const temporary = `${shard.file}.${process.pid}.tmp`;
    writeFileSync(temporary, header + lines.join(''), { mode: 0o600 });
    renameSync(temporary, shard.file);
  };

  const write = (shard: Shard): void => {
    if (shard.pending.length === 0 && !shard.rebuild) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const outdated = shard.lines > leastLines && shard.lines > 2 * shard.entries.size;
      if (shard.rebuild || outdated) rewrite(shard);
      else appendFileSync(shard.file, (existsSync(shard.file) ? '' : header) + shard.pending.join(''), { mode: 0o600 });
    } catch (error) {
      damaged(shard.file, `can't be written (${(error as NodeJS.ErrnoException).code})`);
    }
    shard.pending = [];
    shard.size = 0;
    shard.rebuild = false;
  };

  return {
    get: (name, state) => {
      const shard = shardOf(name);
      const entry = shard.entries.get(name);
      return entry?.state === state ? valueAt(shard, entry) : undefined;
    },
    set: (name, state, value) => {
      const shard = shardOf(name);
      const line = lineOf(name, state, value);
      shard.pending.push(line);
      shard.size += line.length;
      shard.lines += 1;
      shard.entries.set(name, { state, value });
      if (shard.size > mostPending) write(shard);
    },
    settle: () => {
      for (const shard of shards.values()) write(shard);
      shards.clear();
      return warnings.splice(0);
    },
  };
};
