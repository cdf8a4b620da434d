// Installs the workspace when node_modules is missing or older than the lock file. Needs only Node and npm.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.colophon-setup');
const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');

const installed = () => {
  try {
    statSync(join(root, 'node_modules', '.bin', 'vitest'));
    return readFileSync(stamp, 'utf8') === lock;
  } catch {
    return false;
  }
};

if (!installed()) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.error(`setting up: ${packageManager} install (half a minute or so, once)`);
  const { status, error } = spawnSync(
    'npx',
    ['-y', packageManager, 'install', '--frozen-lockfile', '--reporter=silent'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, CI: 'true' },
    },
  );
  if (status !== 0) {
    console.error(
      `set-up failed${error ? `: ${error.message}` : ''}; see the lines above, or run \`npx ${packageManager} install\`. It needs Node >= 20.19, npm and the npm registry.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, lock);
}
