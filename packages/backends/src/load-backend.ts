import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Backend } from './backend.js';
import { type BackendTable, backends } from './backends.js';
import type { AskContext } from './context.js';
import { defineBackend } from './define-backend.js';
import { backendCodeRefused, backendNotLoaded, relativePath, unknownBackend } from './errors.js';
import { resolvePackage } from './resolve-package.js';

/** Where a backend's name came from. Code that an untrusted source names is loaded under the policy `run` only. */
export type BackendSource = { source: string; trusted: boolean };

type Machine = Pick<AskContext, 'workingDirectory' | 'files' | 'policy'>;

const isPath = (name: string): boolean => /^(?:\.{1,2}[\\/]|[\\/]|file:|[A-Za-z]:[\\/])/.test(name);

const fileOf = (name: string, workingDirectory: string | undefined): string => {
  if (name.startsWith('file:')) return fileURLToPath(name);
  if (!isAbsolute(name) && workingDirectory === undefined) throw relativePath(name);
  return resolve(workingDirectory ?? '/', name);
};

const isBackend = (value: unknown): value is Backend =>
  typeof value === 'object' && value !== null && ('reply' in value || 'toRequest' in value || 'send' in value);

const fromModule = async (file: string, name: string): Promise<Backend> => {
  let module: Record<string, unknown>;
  try {
    module = await import(/* @vite-ignore */ pathToFileURL(file).href);
  } catch (error) {
    throw backendNotLoaded(name, error instanceof Error ? error.message : String(error), error);
  }
  const found = [
    module['backend'],
    module['default'],
    (module['default'] as { backend?: unknown } | undefined)?.backend,
  ].find(isBackend);
  if (!found) throw backendNotLoaded(name, `${file} exports neither \`backend\` nor a default that is one`);
  return defineBackend(found);
};

/**
 * A backend by object, by name in the table, by path (`./mine.mjs`, relative to the working directory) or by the name of a
 * package (found from the working directory). A module exports it as `backend` or as its default.
 *
 * Throws `unknown_backend` with the known names, `backend_not_loaded`, `backend_code_refused`, `invalid_backend`.
 */
export const loadBackend = async (
  given: string | Backend,
  machine: Machine,
  { source, trusted }: BackendSource,
  table: BackendTable = backends,
): Promise<Backend> => {
  if (typeof given !== 'string') return defineBackend(given);
  if (Object.hasOwn(table, given)) {
    const entry = table[given]!;
    return defineBackend(typeof entry === 'function' ? await entry(machine) : entry);
  }
  const { policy = 'run', workingDirectory } = machine;
  const mayLoad = trusted || policy === 'run';
  if (isPath(given)) {
    if (!mayLoad) throw backendCodeRefused(given, source, policy);
    return fromModule(fileOf(given, workingDirectory), given);
  }
  const file = workingDirectory === undefined ? undefined : await resolvePackage(given, workingDirectory);
  if (file === undefined) {
    const where =
      workingDirectory === undefined
        ? 'no working directory was given to look for a package'
        : `no package of that name was found from ${workingDirectory}`;
    throw unknownBackend(given, Object.keys(table), `${where}; a file is named with its path, as in ./mine.mjs`);
  }
  if (!mayLoad) throw backendCodeRefused(given, source, policy);
  return fromModule(file, given);
};
