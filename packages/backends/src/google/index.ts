import { defineBackend, type WireBackend } from '../backend.js';
import { embeddings } from './embeddings.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { googleClient, send } from './send.js';
import { toRequest } from './to-request.js';

const environment = {
  key: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  url: ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_URL'],
  model: ['GEMINI_MODEL', 'GOOGLE_MODEL'],
};

/** Google's Gemini API. Its SDK is installed by who asks it. */
export const google = defineBackend<WireBackend>({
  name: 'google',
  defaultModel: 'gemini-2.5-flash',
  environment,
  capabilities: {
    tools: true,
    images: true,
    pdf: true,
    jsonSchema: true,
    streaming: true,
    cacheBreakpoints: false,
    websearch: true,
  },
  parameters,
  toRequest,
  client: (credentials) => googleClient(credentials, environment.key),
  send,
  fromReply,
  embeddings,
  images: {
    model: 'gemini-2.5-flash-image',
    parameters: { extra_body: { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } } },
  },
});
