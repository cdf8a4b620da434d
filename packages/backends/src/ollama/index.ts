import { defineBackend } from '../backend.js';
import { embeddings } from './embeddings.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { ollamaClient, send } from './send.js';
import { toRequest } from './to-request.js';

/** Models on this machine or another, by Ollama's chat API. */
export const ollama = defineBackend({
  name: 'ollama',
  defaultModel: 'llama3.1',
  environment: { key: ['OLLAMA_API_KEY', 'OLLAMA_KEY'], url: ['OLLAMA_HOST', 'OLLAMA_URL'], model: ['OLLAMA_MODEL'] },
  capabilities: { tools: true, images: true, pdf: false, jsonSchema: true, streaming: true, cacheBreakpoints: false },
  parameters,
  toRequest,
  client: ollamaClient,
  send,
  fromReply,
  embeddings,
});
