import { abortable } from '../abortable.js';
import type { Embeddings } from '../backend.js';
import { emptyReply } from '../provider-error.js';
import { isRecord } from '../shape.js';
import { isVector } from '../vector.js';
import type { BedrockClient } from './client.js';
import { toFailure } from './send.js';

/** Titan's embeddings, one text a request; docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html. */
export const embeddings: Embeddings<BedrockClient> = {
  model: 'amazon.titan-embed-text-v2:0',
  most: 1,
  parameters: ['dimensions', 'normalize'],
  send: ([inputText], { client, sdk }, { model, parameters, signal }) =>
    abortable(signal, async (abortSignal) => {
      const body = JSON.stringify({ inputText, ...parameters });
      const command = new sdk.InvokeModelCommand({
        modelId: model,
        contentType: 'application/json',
        accept: 'application/json',
        body,
      });
      try {
        const reply: unknown = JSON.parse(new TextDecoder().decode((await client.send(command, { abortSignal })).body));
        const vector = isRecord(reply) ? reply['embedding'] : undefined;
        if (!isVector(vector)) throw emptyReply();
        const count = isRecord(reply) ? reply['inputTextTokenCount'] : undefined;
        return { vectors: [vector], ...(typeof count === 'number' ? { usage: { pt: count, tt: count } } : {}) };
      } catch (error) {
        throw toFailure(error);
      }
    }),
};
