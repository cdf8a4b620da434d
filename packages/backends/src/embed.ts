import { sumTokens, type Tokens } from '@colophon/chat-format';
import { contextOf } from './ask.js';
import type { AskOptions } from './ask-options.js';
import type { Credentials, Embeddings, WireBackend } from './backend.js';
import { checkParameters } from './check-parameters.js';
import { environmentNames, fromEnvironment } from './credentials.js';
import { badTexts, noModel, unsupported } from './errors.js';
import { mergeParameters, pick } from './layers.js';
import { providerError } from './provider-error.js';
import { secretsOf } from './redact.js';
import { readLayers, resolveOptions } from './resolve-options.js';
import { type Measure, measures } from './vector.js';

/** Vectors of texts, in their order, and what they cost in tokens; unknown counts are absent. */
export type Embedded = { vectors: number[][]; model: string; tokens: Tokens };

type Reached = {
  backend: WireBackend;
  embeddings: Embeddings;
  credentials: Credentials;
  model: string;
  parameters: Record<string, unknown>;
};

// A chat's endpoint names a model of chats: its model counts where the endpoint was named for embedding.
const reach = async (options: AskOptions): Promise<Reached> => {
  const context = await contextOf(options);
  const { environment } = context;
  const own = environment['COLOPHON_EMBED_ENDPOINT'];
  const asked = { ...(own ? { endpoint: own } : {}), ...options };
  const layers = await readLayers(asked, [], context);
  const plain = layers.map((layer) => ({ ...layer, parameters: {} }));
  const resolved = await resolveOptions(
    [{ ...plain[0]!, own: { ...plain[0]!.own, model: 'embedding' } }, ...plain.slice(1)],
    context,
  );
  const { backend, credentials } = resolved;
  if (!('embeddings' in backend) || !backend.embeddings) throw unsupported('texts for embeddings', backend.name);
  const parameters = mergeParameters(layers.slice(0, 1));
  checkParameters(parameters, { ...backend, parameters: backend.embeddings.parameters });
  const named = asked.endpoint === undefined ? pick(layers.slice(0, 1), 'model') : pick(layers, 'model');
  const names = environmentNames(backend).model.map((name) => name.replace(/_MODEL(?:_ID)?$/, (end) => `_EMBED${end}`));
  const model = named?.value ?? fromEnvironment(names, environment)?.value ?? backend.embeddings.model;
  if (!model) throw noModel(backend.name, names);
  return { backend, embeddings: backend.embeddings, credentials, model: String(model), parameters };
};

/**
 * A vector for each text. Options as for `ask`: `backend`, `endpoint` (else `COLOPHON_EMBED_ENDPOINT`), `model` (else the usual one of
 * the backend), `signal`, parameters such as `dimensions`. Many texts are asked for in several requests, one after the other.
 *
 * Throws `unsupported` for a backend that makes none, `request_failed`.
 */
export const embed = async (texts: string | readonly string[], options: AskOptions = {}): Promise<Embedded> => {
  const all = typeof texts === 'string' ? [texts] : [...texts];
  if (!all.every((text) => typeof text === 'string' && text !== '')) throw badTexts(all);
  const { backend, embeddings, credentials, model, parameters } = await reach(options);
  const { signal } = options;
  const vectors: number[][] = [];
  const counted: Tokens[] = [];
  if (all.length === 0) return { vectors, model, tokens: {} };
  try {
    const client = await backend.client?.(credentials);
    for (let from = 0; from < all.length; from += embeddings.most) {
      const some = all.slice(from, from + embeddings.most);
      const reply = await embeddings.send(some, client, { model, parameters, ...(signal ? { signal } : {}) });
      vectors.push(...reply.vectors);
      if (reply.usage) counted.push(reply.usage);
    }
  } catch (error) {
    throw providerError(error, { backend: backend.name, secrets: secretsOf(credentials), signal });
  }
  return { vectors, model, tokens: sumTokens(counted) };
};

/** A text near a query: its place in the list, and how near. */
export type Near = { index: number; text: string; score: number };

/**
 * The `count` texts that are nearest in meaning to a query, the nearest first. `measure`: `cosine` (default) or `l2`. Every text is
 * embedded and compared: made for hundreds of texts, not for a store of them; keep `embed`'s vectors where they are asked again.
 */
export const nearest = async (
  texts: readonly string[],
  query: string,
  count: number,
  { measure = 'cosine', ...options }: AskOptions & { measure?: Measure } = {},
): Promise<Near[]> => {
  if (texts.length === 0) return [];
  const { vectors } = await embed([...texts, query], options as AskOptions);
  const wanted = vectors.at(-1) ?? [];
  return texts
    .map((text, index) => ({ index, text, score: measures[measure](vectors[index] ?? [], wanted) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, Math.max(0, count));
};
