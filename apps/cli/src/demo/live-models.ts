import type { MachineContext } from '../context.js';

/** A model that can be asked from here, and why. */
export type LiveModel = { backend: string; model?: string; by: string };

const ollamaAddress = (host: string | undefined): string => {
  const address = host === undefined || host === '' ? '127.0.0.1:11434' : host;
  return address.includes('://') ? address : `http://${address}`;
};

/** The first model that a running Ollama has; undefined where none runs or it has none. Waits half a second at most. */
const findOllama = async ({ environment, signal }: MachineContext): Promise<LiveModel | undefined> => {
  try {
    const address = new URL('/api/tags', ollamaAddress(environment['OLLAMA_HOST']));
    const reply = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(500)]) });
    const { models } = (await reply.json()) as { models: { name: string }[] };
    return models[0] && { backend: 'ollama', model: models[0].name, by: `Ollama at ${address.host}` };
  } catch {
    return undefined;
  }
};

/** Models that can be asked from here: by a key in the environment, or an Ollama that runs. */
export const findLiveModels = async (context: MachineContext): Promise<LiveModel[]> => {
  const { environment } = context;
  const ollama = await findOllama(context);
  return [
    ...(environment['OPENAI_API_KEY'] ? [{ backend: 'responses', by: 'OPENAI_API_KEY' }] : []),
    ...(environment['ANTHROPIC_API_KEY'] ? [{ backend: 'anthropic', by: 'ANTHROPIC_API_KEY' }] : []),
    ...(ollama ? [ollama] : []),
  ];
};
