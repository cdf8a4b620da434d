import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/** A folder in which a session is laid out; names are relative to it. */
export type Place = ReturnType<typeof placeIn>;

/** Ways to lay a session out in a folder. Folders on the way are made. */
export const placeIn = (folder: string) => {
  const at = (name: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    return join(folder, name);
  };
  return {
    at,
    write: (name: string, content: string | Uint8Array): void => writeFileSync(at(name), content),
    makeFolder: (name: string): void => void mkdirSync(join(folder, name), { recursive: true }),
    link: (name: string, target: string): void => symlinkSync(target, at(name)),
    pipe: (name: string): void => void execFileSync('mkfifo', [at(name)]),
    /** A socket stays where it has a second name, when its server is gone. */
    socket: async (name: string): Promise<void> => {
      const server = createServer().listen(`${at(name)}.s`);
      await new Promise((resolve) => server.once('listening', resolve));
      linkSync(`${at(name)}.s`, at(name));
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** What stands in a folder, and its state, a line each; reading changes none of it. */
export const stateBelow = (folder: string): string[] =>
  execFileSync('find', [folder, '-printf', '%p %m %s %T@ %C@ %i\n'], { encoding: 'latin1', maxBuffer: 100_000_000 })
    .split('\n')
    .sort();
