import { createRequire } from 'node:module';
import { missingSdk } from './errors.js';

const load = createRequire(import.meta.url);

/**
 * An SDK that is not installed with this package. By `require`, which no bundler looks into: the SDK stays where it was installed.
 * Throws `missing_sdk` with the line that installs it.
 */
export const loadSdk = async <Sdk>(name: string, backend: string): Promise<Sdk> => {
  try {
    return load(name) as Sdk;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    // A module that is missing inside the SDK is another matter.
    if (code === 'MODULE_NOT_FOUND' && String(message).startsWith(`Cannot find module '${name}'`))
      throw missingSdk(name, backend, error);
    throw error;
  }
};
