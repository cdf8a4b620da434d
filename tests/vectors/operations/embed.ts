import { embed as embedTexts } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import { scriptedServer } from '@colophon/backends/testing';
import type { Json, Operation } from '../vector.js';
import { wireNameOf } from './providers.js';

/** Embeds through the real client of a provider; one text gives one vector. */
export const embed: Operation = async ({ provider, text, responses = [] }) => {
  // Ollama's replies are lists of one.
  const replies = responses.map((response: Json) => ({ body: [response].flat()[0] }));
  const server = await scriptedServer(replies, { lenient: true });
  const wire = wireNameOf(provider);
  try {
    const reached = { key: 'k-1', ...(wire === undefined ? {} : { url: server.urls[wire] }) };
    const { vectors } = await embedTexts(text, { backend: provider, context: nodeContext({}), ...reached });
    return { embedding: Array.isArray(text) ? vectors : vectors[0], requests: server.requests.map(({ body }) => body) };
  } finally {
    await server.close();
  }
};
