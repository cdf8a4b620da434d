import { abortable } from '../abortable.js';
import type { Embeddings } from '../backend.js';
import { emptyReply } from '../provider-error.js';
import { isRecord } from '../shape.js';
import { isVector } from '../vector.js';
import type { OllamaClient } from './send.js';

/** Ollama's embeddings. Source: `EmbedRequest`, `EmbedResponse` of ollama 0.6.4. */
export const embeddings: Embeddings<OllamaClient> = {
  model: 'nomic-embed-text',
  most: 256,
  parameters: ['dimensions', 'keep_alive', 'options', 'truncate'],
  send: (texts, { host, headers, fetch: send }, { model, parameters, signal }) =>
    abortable(signal, async (own) => {
      const response = await send(`${host}/api/embed`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model, input: texts, ...parameters }),
        signal: own,
      });
      const reply: unknown = await response.json();
      const vectors = isRecord(reply) && Array.isArray(reply['embeddings']) ? reply['embeddings'] : [];
      if (vectors.length !== texts.length || !vectors.every(isVector)) throw emptyReply();
      const count = isRecord(reply) ? reply['prompt_eval_count'] : undefined;
      return { vectors, ...(typeof count === 'number' ? { usage: { pt: count, tt: count } } : {}) };
    }),
};
