import { readTextCalls } from './text-calls.js';
import { toBackend } from './variant.js';

/**
 * Open WebUI's own address of chat completions, in front of whatever models it has. It loads models when they are asked for, and
 * fails while it does: a failed request is sent again up to four times. Source: docs.openwebui.com, "API endpoints".
 */
export const openwebui = toBackend({
  name: 'openwebui',
  defaultModel: 'llama3.1',
  environment: {
    key: ['OPENWEBUI_API_KEY', 'OPENWEBUI_KEY'],
    url: ['OPENWEBUI_BASE_URL', 'OPENWEBUI_URL'],
    model: ['OPENWEBUI_MODEL'],
  },
  url: 'http://127.0.0.1:8080/api',
  maxRetries: 4,
  capabilities: { websearch: true },
  parameters: ['chat_id', 'features', 'files', 'filter_ids', 'params', 'session_id', 'tool_ids', 'top_k'],
  toBody: (body, { websearch }) =>
    websearch ? { ...body, features: { web_search: true, ...(body['features'] as object | undefined) } } : body,
  toReply: readTextCalls,
});
