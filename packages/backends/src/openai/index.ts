import { defineBackend } from '../backend.js';
import { openAiClient } from '../openai-client.js';
import { openAiEmbeddings } from './embeddings.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { openaiCapabilities, send } from './send.js';
import { toRequest } from './to-request.js';

const environment = {
  key: ['OPENAI_API_KEY', 'OPENAI_KEY'],
  url: ['OPENAI_BASE_URL', 'OPENAI_URL'],
  model: ['OPENAI_MODEL'],
};

/** Chat completions: OpenAI's, and with `url` those of any compatible server (llama.cpp, LM Studio, OpenRouter, …). */
export const openai = defineBackend({
  name: 'openai',
  defaultModel: 'gpt-5-nano',
  environment,
  capabilities: openaiCapabilities,
  parameters,
  toRequest,
  client: (credentials) => openAiClient(credentials, 'openai', environment.key),
  send,
  fromReply,
  embeddings: openAiEmbeddings('text-embedding-3-small'),
});
