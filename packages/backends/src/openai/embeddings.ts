import { normalizeUsage } from '@colophon/chat-format';
import type OpenAI from 'openai';
import { abortable } from '../abortable.js';
import type { Embeddings } from '../backend.js';
import { emptyReply } from '../provider-error.js';
import { isRecord, recordsOf } from '../shape.js';
import { isVector } from '../vector.js';

/** The embeddings of OpenAI and compatible servers. Source: `EmbeddingCreateParams`, `CreateEmbeddingResponse` of openai 6.49.0. */
export const openAiEmbeddings = (model: string | undefined): Embeddings<OpenAI> => ({
  ...(model === undefined ? {} : { model }),
  // 2,048 texts, and 300,000 tokens in all.
  most: 256,
  parameters: ['dimensions', 'user'],
  send: (texts, client, { model: asked, parameters, signal }) =>
    abortable(signal, async (own) => {
      const body = { model: asked, input: [...texts], encoding_format: 'float' as const, ...parameters };
      const reply: unknown = await client.embeddings.create(body, { signal: own });
      const rows = isRecord(reply) ? recordsOf(reply['data']) : [];
      const vectors = texts.map(
        (_, place) => rows.find((row, index) => (row['index'] ?? index) === place)?.['embedding'],
      );
      if (!vectors.every(isVector)) throw emptyReply();
      return {
        vectors,
        ...(isRecord(reply) && isRecord(reply['usage']) ? { usage: normalizeUsage(reply['usage']) } : {}),
      };
    }),
});
