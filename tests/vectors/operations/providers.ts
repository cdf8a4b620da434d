import { backends, type WireBackend } from '@colophon/backends';
import type { Tool } from '@colophon/tools';
import type { Json } from '../vector.js';

/** Backends with a wire format, by the providers' names; vLLM speaks the Responses API. */
const wireNames = {
  openai: 'openai',
  responses: 'responses',
  anthropic: 'anthropic',
  ollama: 'ollama',
  vllm: 'responses',
} as const;

/** The wire format that a provider speaks; undefined where nobody knows the provider. */
export const wireNameOf = (provider: string) => wireNames[provider as keyof typeof wireNames];

/** The built-in backend of a provider. */
export const wireOf = async (provider: string): Promise<WireBackend> => {
  const name = wireNameOf(provider);
  if (name === undefined) throw new Error(`unknown provider ${provider}`);
  return backends[name]();
};

/** A tool from a definition in any of the forms that providers use. */
export const toolOf = (definition: Json, run: Tool['run'] = () => null): Tool => {
  const { name, description = '', parameters = { type: 'object', properties: {} } } = definition.function ?? definition;
  return { name, description, parameters, run };
};
