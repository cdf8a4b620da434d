import { pathToFileURL } from 'node:url';
import type { Credentials } from '../backend.js';
import type { LoaderContext } from '../backends.js';
import { backendCodeRefused, backendNotLoaded, badOption, missingSdk } from '../errors.js';
import { guardedFetch } from '../guarded-fetch.js';
import { defaultTimeout } from '../openai-client.js';
import { resolvePackage } from '../resolve-package.js';
import { retryingFetch } from '../retrying-fetch.js';
import type { LanguageModel } from './language-model.js';

type Provider = { languageModel: (model: string) => LanguageModel };

type Maker = (settings: object) => Provider;

const expected = 'the name of a package with providers, as in @ai-sdk/mistral';

/** `createX` of a provider's package: with explicit values, so that nothing is taken from its environment. */
const makerOf = (module: Record<string, unknown>, name: string): Maker => {
  const [, make] =
    Object.entries(module).find(([key, value]) => /^create[A-Z]/.test(key) && typeof value === 'function') ?? [];
  if (typeof make !== 'function')
    throw backendNotLoaded(name, 'it exports no function `create…` that makes a provider');
  return make as Maker;
};

/** Makes the language models of a package that is found from the working directory upwards. */
export const loadProvider = async (
  name: unknown,
  { workingDirectory, policy = 'run' }: LoaderContext,
  { key, url, headers, timeout = defaultTimeout, maxRetries }: Credentials,
): Promise<(model: string) => LanguageModel> => {
  if (typeof name !== 'string' || name === '') throw badOption('provider', name, expected, 'the options of ai-sdk');
  if (policy !== 'run') throw backendCodeRefused(name, 'A chat or an endpoint', policy);
  const file = workingDirectory === undefined ? undefined : await resolvePackage(name, workingDirectory);
  if (file === undefined) throw missingSdk(name, 'ai-sdk');
  const make = makerOf((await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, unknown>, name);
  const provider = make({
    name: 'ai-sdk',
    ...(key === undefined ? {} : { apiKey: key }),
    ...(url === undefined ? {} : { baseURL: url }),
    ...(headers === undefined ? {} : { headers }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: retryingFetch(guardedFetch(timeout), typeof maxRetries === 'number' ? maxRetries : 2),
  });
  return (model) => provider.languageModel(model);
};
