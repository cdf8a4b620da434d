import { abortable } from '../abortable.js';
import type { Embeddings } from '../backend.js';
import { emptyReply } from '../provider-error.js';
import { isVector } from '../vector.js';
import { type GoogleClient, toFailure } from './send.js';

/** Gemini's embeddings, which tell no counts. Source: `EmbedContentParameters`, `EmbedContentResponse` of @google/genai 2.32.0. */
export const embeddings: Embeddings<GoogleClient> = {
  model: 'gemini-embedding-001',
  most: 100,
  parameters: ['dimensions', 'task_type', 'title'],
  send: (texts, made, { model, parameters: { dimensions, task_type: taskType, title }, signal }) =>
    abortable(signal, async (own) => {
      const config = {
        abortSignal: own,
        ...(dimensions === undefined ? {} : { outputDimensionality: Number(dimensions) }),
        ...(taskType === undefined ? {} : { taskType: String(taskType) }),
        ...(title === undefined ? {} : { title: String(title) }),
      };
      delete made.failure;
      try {
        const { embeddings: rows = [] } = await made.client.models.embedContent({
          model,
          contents: [...texts],
          config,
        });
        const vectors = rows.map(({ values }) => values);
        if (vectors.length !== texts.length || !vectors.every(isVector)) throw emptyReply();
        return { vectors };
      } catch (error) {
        throw toFailure(error, made.failure);
      }
    }),
};
