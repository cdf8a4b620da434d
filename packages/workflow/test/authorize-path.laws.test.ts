import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { authorizePath } from '@colophon/workflow';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 20_000 : 300;

const top = realpathSync(mkdtempSync(join(tmpdir(), 'authorize-')));
afterAll(() => rmSync(top, { recursive: true, force: true }), 60_000);

const name = fc.constantFrom('a', 'b', 'root', 'root-2', '..', '.', '');
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/').replace(/^\/+/, ''));
const entry = fc.record({
  place: path,
  kind: fc.constantFrom('file', 'folder', 'link'),
  target: fc.tuple(fc.boolean(), path),
});

const timeout = 900_000;

let count = 0;

/** A tree below `root`, `root-2` and beside them, with links anywhere to anywhere; what can't be made is left out. */
const make = (entries: { place: string; kind: string; target: [boolean, string] }[]): string => {
  rmSync(join(top, String(count)), { recursive: true, force: true });
  const folder = join(top, String(++count));
  mkdirSync(join(folder, 'root'), { recursive: true });
  mkdirSync(join(folder, 'root-2'));
  for (const { place, kind, target } of entries) {
    const at = join(folder, 'root', place);
    if (!at.startsWith(`${folder}/`)) continue;
    try {
      mkdirSync(dirname(at), { recursive: true });
      if (kind === 'folder') mkdirSync(at);
      else if (kind === 'file') writeFileSync(at, '');
      else symlinkSync(target[0] ? join(folder, target[1]) : target[1], at);
    } catch {
      // Something else stands there.
    }
  }
  return folder;
};

const real = (place: string): string | undefined => {
  try {
    return realpathSync.native(place);
  } catch {
    return undefined;
  }
};

test(
  'what is allowed is, by the system itself, inside; what exists inside is allowed',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 8 }),
        fc.array(path, { minLength: 1, maxLength: 4 }),
        async (entries, asked) => {
          const folder = make(entries);
          const root = join(folder, 'root');
          const inside = (place: string): boolean => place === root || place.startsWith(`${root}/`);
          for (const one of asked) {
            const answer = await authorizePath(one, { root, base: root, mode: 'write' });
            // The system's own answer: `realpath` goes by the parts as they were written.
            const truth = one === '' ? undefined : real(`${root}/${one}`);
            if (truth !== undefined) {
              expect(answer).toMatchObject({ allowed: inside(truth), path: truth, exists: true });
              continue;
            }
            if (!answer.allowed) continue;
            expect(answer.exists).toBe(false);
            expect(inside(answer.path)).toBe(true);
            // Making the file at the canonical path makes it inside.
            mkdirSync(dirname(answer.path), { recursive: true });
            writeFileSync(answer.path, '');
            expect(real(answer.path)).toBe(answer.path);
            // A new file can't be named with a slash or dot behind it.
            expect(real(`${root}/${one}`.replace(/(?:\/\.?)+$/, ''))).toBe(answer.path);
            rmSync(answer.path);
          }
        },
      ),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'the canonical path is allowed by the same grant, and stays as it is',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), path, path, async (entries, granted, asked) => {
        const folder = make(entries);
        const grants = { readable: [granted], base: join(folder, 'root'), mode: 'read' as const };
        const answer = await authorizePath(asked, grants);
        if (answer.allowed) expect(await authorizePath(answer.path, grants)).toEqual(answer);
        expect((await authorizePath(asked, { ...grants, mode: 'write' })).allowed).toBe(false);
        // What was allowed is allowed with more grants.
        if (answer.allowed)
          expect(await authorizePath(asked, { ...grants, root: folder })).toMatchObject({ allowed: true });
      }),
      { numRuns: runs },
    );
  },
  timeout,
);
