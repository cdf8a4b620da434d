import type { Backend, WireBackend } from './backend.js';
import type { AskContext } from './context.js';

/** What a loader may use: the working directory, the files and the policy, for backends that read some or load code. */
export type LoaderContext = Pick<AskContext, 'workingDirectory' | 'files' | 'policy'>;

/** Backends by name: objects, or functions that load one when it is asked. */
export type BackendTable = Record<string, Backend | ((context: LoaderContext) => Backend | Promise<Backend>)>;

/** The built-in backends. Spread it to add your own: `{...backends, mine}`. Each SDK is loaded when its backend is used. */
export const backends = {
  responses: async () => (await import('./responses/index.js')).responses,
  openai: async () => (await import('./openai/index.js')).openai,
  anthropic: async () => (await import('./anthropic/index.js')).anthropic,
  ollama: async () => (await import('./ollama/index.js')).ollama,
  vllm: async () => (await import('./openai/vllm.js')).vllm,
  openwebui: async () => (await import('./openai/openwebui.js')).openwebui,
  glm: async () => (await import('./openai/glm.js')).glm,
  huggingface: async () => (await import('./openai/huggingface.js')).huggingface,
  bedrock: async () => (await import('./bedrock/index.js')).bedrock,
  google: async () => (await import('./google/index.js')).google,
  'ai-sdk': async (context: LoaderContext) => (await import('./ai-sdk/index.js')).aiSdkFromOptions(context),
  relay: async (context: LoaderContext): Promise<WireBackend> =>
    (await import('./relay/index.js')).relayFromOptions(context),
  replay: async (context: LoaderContext) => (await import('./replay/replay.js')).replayFromOptions(context),
} satisfies BackendTable;
