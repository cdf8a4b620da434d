import { backends, type WireBackend } from '@colophon/backends';
import { diskFiles } from '@colophon/chat-compile/node';
import type { MachineContext } from './context.js';

/** A backend, and the names of the environment variables that are set for it. Never their values. */
export type EnvironmentBackend = { backend: string; names: string[]; wanted: string[] };

/** The built-in backends that have a wire format, with what the environment says for them. */
export const environmentBackends = async ({
  environment,
  workingDirectory,
}: MachineContext): Promise<EnvironmentBackend[]> => {
  const loaded = await Promise.all(
    Object.entries(backends).map(async ([backend, load]) => ({
      backend,
      ...(await load({ workingDirectory, files: diskFiles })),
    })),
  );
  return loaded.flatMap((found) => {
    const { key = [], url = [] } = (found as Partial<WireBackend>).environment ?? {};
    const wanted = [...key, ...url];
    return wanted.length === 0
      ? []
      : [{ backend: found.backend, names: wanted.filter((name) => environment[name]), wanted }];
  });
};
