import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, gone when the test ends. */
export const folder = (files: Record<string, string | Uint8Array> = {}) => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'colophon-test-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return {
    path,
    read: (name: string) => readFileSync(join(path, name), 'utf8'),
    join: (name: string) => join(path, name),
  };
};
