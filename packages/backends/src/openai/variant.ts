import type { Chat } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Capabilities, Reply, RequestOptions, WireBackend } from '../backend.js';
import { defineBackend } from '../backend.js';
import { missingKey } from '../errors.js';
import { openAiClient } from '../openai-client.js';
import { openAiEmbeddings } from './embeddings.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { openaiCapabilities, send } from './send.js';
import { toRequest } from './to-request.js';

type Body = Record<string, unknown>;

/** What of a reply's context a variant may look at. */
export type VariantReply = { reply: Reply; raw: unknown; tools: readonly Tool[]; chat: Chat };

/** A server that speaks chat completions: where it is, and in what it differs. */
export type Variant = {
  name: string;
  defaultModel?: string;
  environment: NonNullable<WireBackend['environment']>;
  /** Where it is asked when no address is given. */
  url: string;
  /** It asks for a key at that address. */
  needsKey?: boolean;
  capabilities?: Partial<Capabilities>;
  /** Names that it knows beside those of chat completions. */
  parameters?: readonly string[];
  /** Names of chat completions that it does not know. */
  without?: readonly string[];
  /** How often a failed request is sent again; 2 where nothing is said. */
  maxRetries?: number;
  /** Its usual model of embeddings; the server makes some wherever it says one. */
  embeddingModel?: string;
  /** The body as this server takes it; what came as `extra_body` stands in it already. */
  toBody?: (body: Body, options: RequestOptions) => Body;
  /** The reply as it is meant. */
  toReply?: (given: VariantReply) => Reply;
};

/** A backend over chat completions from what is different. Its address is part of it, so OpenAI's cache key is never sent. */
export const toBackend = (variant: Variant): WireBackend => {
  const { name, defaultModel, environment, url, needsKey = false, without = [], toBody, toReply } = variant;
  return defineBackend<WireBackend>({
    name,
    ...(defaultModel === undefined ? {} : { defaultModel }),
    environment,
    capabilities: { ...openaiCapabilities, pdf: false, ...variant.capabilities },
    parameters: [...parameters.filter((known) => !without.includes(known)), ...(variant.parameters ?? [])],
    toRequest: async (chat, tools, options) => {
      const { promptCacheKey: _key, websearch: _search, ...plain } = options;
      const body = (await toRequest(chat, tools, plain)) as unknown as Body;
      return toBody ? toBody(body, options) : body;
    },
    client: (credentials) => {
      if (needsKey && credentials.key === undefined && credentials.url === undefined)
        throw missingKey(name, environment.key ?? []);
      const retries = variant.maxRetries === undefined ? {} : { maxRetries: variant.maxRetries };
      return openAiClient({ url, ...retries, ...credentials }, name, environment.key ?? []);
    },
    send,
    embeddings: openAiEmbeddings(variant.embeddingModel),
    fromReply: (raw, { tools = [], chat = [] } = {}) => {
      const reply = fromReply(raw, { tools, chat });
      return toReply ? toReply({ reply, raw, tools, chat }) : reply;
    },
  });
};
