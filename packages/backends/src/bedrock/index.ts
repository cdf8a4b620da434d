import { defineBackend, type WireBackend } from '../backend.js';
import { bedrockClient } from './client.js';
import { embeddings } from './embeddings.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { send } from './send.js';
import { toRequest } from './to-request.js';

const environment = {
  key: ['AWS_BEARER_TOKEN_BEDROCK'],
  url: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'BEDROCK_URL'],
  model: ['BEDROCK_MODEL_ID'],
  more: {
    region: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
    accessKeyId: ['AWS_ACCESS_KEY_ID'],
    secretAccessKey: ['AWS_SECRET_ACCESS_KEY'],
    sessionToken: ['AWS_SESSION_TOKEN'],
    profile: ['AWS_PROFILE'],
    role: [
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    ],
  },
};

const names = {
  key: [...environment.key, 'AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'],
  region: environment.more.region,
};

/** Amazon Bedrock's Converse, for all models that it has. Its SDK is installed by who asks it. */
export const bedrock = defineBackend<WireBackend>({
  name: 'bedrock',
  environment,
  capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true, cacheBreakpoints: true },
  parameters,
  toRequest,
  client: (credentials) => bedrockClient(credentials, names),
  send,
  fromReply,
  embeddings,
});
