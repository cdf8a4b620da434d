import type { Chat } from '@colophon/chat-format';
import type { ChatFacts, JobFacts, Read } from './facts.js';
import type { Warning } from './warning.js';

/** What stands at a path. `path` is the real one, links followed. Sizes in bytes, times in milliseconds since 1970. */
export type Place = { path: string; kind: 'file' | 'folder' | 'other'; size: number; modified: number };

/** A name in a folder, as it stands there: a link is a link. */
export type FolderEntry = { name: string; kind: 'file' | 'folder' | 'link' | 'other' };

/**
 * How provenance reads persisted evidence; nothing is ever written. Damage is a value: a reader throws only where it was used
 * wrongly. `@colophon/provenance/node` has the one for files; a test may hand in another.
 */
export type Reader = {
  /** Undefined where nothing stands; `link_loop` where links lead in a circle. */
  look: (path: string) => Promise<Place | 'link_loop' | undefined>;
  /** The facts of a chat, read and parsed once while its file stays as it is. Undefined where it has vanished. */
  chat: (path: string) => Promise<Read<ChatFacts> | undefined>;
  /** The facts of a job whose result or `.info` is there; `path` is its result's. */
  job: (path: string) => Promise<Read<JobFacts>>;
  /** Names in a folder, in any order. Undefined where it can't be read or is none. */
  list: (folder: string) => Promise<FolderEntry[] | undefined>;
  /** Where the result or `.info` of a job is that `referrer`, a file, refers to; undefined where there is none. */
  findJob: (reference: string, referrer: string) => Promise<string | undefined>;
  /** Whether two files hold the same bytes. */
  same: (first: string, second: string) => Promise<boolean>;
  /** The messages of a chat, read anew at each call. Undefined where it has vanished or can't be read. */
  messages: (path: string) => Promise<Chat | undefined>;
  /** Folders whose files are part of the session wherever they are linked from. */
  roots: readonly string[];
  /** Called when a traversal ends: keeps what is to be kept for the next run, and tells what was wrong with it. */
  settle?: () => Promise<Warning[]>;
};
