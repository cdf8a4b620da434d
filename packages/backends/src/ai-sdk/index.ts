import { type Credentials, defineBackend, type WireBackend } from '../backend.js';
import type { LoaderContext } from '../backends.js';
import { fromReply } from './from-reply.js';
import type { LanguageModel } from './language-model.js';
import { loadProvider } from './load-provider.js';
import { type ModelSource, send } from './send.js';
import { parameters, toRequest } from './to-request.js';

const shared = {
  name: 'ai-sdk',
  capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true, cacheBreakpoints: false },
  toRequest,
  send,
  fromReply,
} as const;

/**
 * A backend over a language model of the Vercel AI SDK (`LanguageModelV3`, ai 6), made by its provider with whatever keys it has:
 * `ask(chat, {backend: aiSdk(mistral('mistral-large-latest'))})`.
 */
export const aiSdk = (model: LanguageModel): WireBackend =>
  defineBackend<WireBackend>({
    ...shared,
    defaultModel: model.modelId,
    parameters: parameters.filter((name) => name !== 'provider'),
    client: (): ModelSource => async () => model,
  });

/** The backend `ai-sdk` by name: the option `provider` names the package, and key and address of the endpoint go to what it makes. */
export const aiSdkFromOptions = (machine: LoaderContext): WireBackend =>
  defineBackend<WireBackend>({
    ...shared,
    parameters,
    client: (credentials: Credentials): ModelSource => {
      let made: ReturnType<typeof loadProvider> | undefined;
      return async ({ provider, model }) => {
        made ??= loadProvider(provider, machine, credentials);
        return (await made)(model);
      };
    },
  });
