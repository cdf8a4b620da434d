import { defineBackend } from '../backend.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { anthropicClient, send } from './send.js';
import { toRequest } from './to-request.js';

const environment = {
  key: ['ANTHROPIC_API_KEY', 'ANTHROPIC_KEY'],
  url: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_URL'],
  model: ['ANTHROPIC_MODEL'],
};

/** Anthropic's Messages API. */
export const anthropic = defineBackend({
  name: 'anthropic',
  defaultModel: 'claude-sonnet-5-5',
  environment,
  capabilities: {
    tools: true,
    images: true,
    pdf: true,
    jsonSchema: true,
    streaming: true,
    cacheBreakpoints: true,
    websearch: true,
  },
  parameters,
  toRequest,
  client: (credentials) => anthropicClient(credentials, environment.key),
  send,
  fromReply,
});
