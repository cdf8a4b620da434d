import type { Chat, Message, Tokens } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';

/** Why a reply or a run ended. */
export const stopReasons = [
  'stop',
  'tool_calls',
  'length',
  'refusal',
  'content_filter',
  'aborted',
  'max_rounds',
  'budget',
  'other',
] as const;

/** One of `stopReasons`. */
export type StopReason = (typeof stopReasons)[number];

/**
 * A call in a reply; `arguments` is a JSON value, or the raw text where the model wrote no valid JSON. `carry` is what the
 * provider wants back with it, such as signed reasoning: the loop keeps it under the same key on the recorded message, in
 * memory only, and `toRequest` finds it there.
 */
export type ReplyCall = { id: string; name: string; arguments: unknown; carry?: unknown };

/**
 * One reply in canonical form. `messages` are the conversation part (text; no calls, no meta), in the reply's order; they may
 * have a `carry`, as calls do.
 */
export type Reply = {
  messages: Message[];
  calls: ReplyCall[];
  /** Unknown counts are absent. */
  usage?: Tokens;
  /** The provider's id of the reply. */
  id?: string;
  /** Readable reasoning, line ends made spaces. */
  reasoning?: string;
  stopReason?: StopReason;
  /** The model that answered, as the provider says. */
  model?: string;
};

/** A piece of a reply, as it streams. */
export type Delta = { kind: 'text'; text: string } | { kind: 'reasoning'; text: string };

/** The reply asked for: the `reply`-th (from 0) after the `turn`-th (from 0) stretch of user messages. */
export type ReplyPosition = { turn: number; reply: number };

/** What a backend's functions get beside the chat. */
export type RequestOptions = {
  model: string;
  /**
   * Provider parameters: every option that the harness did not consume, under the names that the person wrote, already checked
   * against the backend's `parameters`. `extra_body` is an object of what came as `extra_body.x`: merged into the body as it is.
   */
  parameters: Record<string, unknown>;
  /** A JSON Schema or `json_object`, already translated from the forms that `format` takes. */
  format?: { kind: 'json_object' } | { kind: 'json_schema'; name: string; schema: Record<string, unknown> };
  /** Message indexes where a stable prefix ends. */
  boundaries: number[];
  /** Derived from the chat's first lineage id; absent where another server than the provider's own is asked. */
  promptCacheKey?: string;
  /** Session backends: the reply to continue from; the chat then holds only what came after it. */
  previousResponseId?: string;
  /** The provider's own search tool is asked for. */
  websearch?: boolean;
  /** Reads a file that an `image` or `pdf` message names, by absolute path. Absent: only addresses and data URIs can be sent. */
  readBytes?: (path: string) => Promise<Uint8Array>;
  /** Where the whole conversation stands, whatever the strategies left of it: see `positionOf`. */
  position?: ReplyPosition;
};

/** How to reach a provider. Never logged, cached or written down. */
export type Credentials = {
  key?: string;
  url?: string;
  headers?: Record<string, string>;
  timeout?: number;
  [key: string]: unknown;
};

/** What a call gets: when to stop, and who listens (absent: nobody, the reply may come whole). */
export type SendContext = { signal?: AbortSignal; onDelta?: (delta: Delta) => void };

/** What a provider takes; the loop says beforehand what it does not. */
export type Capabilities = {
  tools: boolean;
  images: boolean;
  pdf: boolean;
  jsonSchema: boolean;
  streaming: boolean;
  cacheBreakpoints: boolean;
  /** The provider keeps the conversation: `previousResponseId` is understood. */
  session?: boolean;
  websearch?: boolean;
};

/** What an embedding call gets beside its texts. */
export type EmbedContext = { model: string; parameters: Record<string, unknown>; signal?: AbortSignal };

/** How a provider makes vectors of texts. */
export type Embeddings<Client = any> = {
  /** The model where none is named; absent where there is no usual one. */
  model?: string;
  /** Texts that one request takes. */
  most: number;
  /** Names of parameters that it knows; see `parameters` of a backend. */
  parameters: readonly string[];
  /** One vector a text, in their order. */
  send: (
    texts: readonly string[],
    client: Client,
    context: EmbedContext,
  ) => Promise<{ vectors: number[][]; usage?: Tokens }>;
};

/** What makes a request of a backend one for a picture. */
export type ImageOptions = { model?: string; parameters: Record<string, unknown> };

/** A provider with a wire format: two pure conversions and the call between them. Stateless. */
export type WireBackend<Request = any, Client = any, Raw = any> = {
  name: string;
  defaultModel?: string;
  /**
   * Environment names, first set one wins. `more`: what else `client` needs, by the name that it gets in the credentials; none of
   * it is taken where an untrusted source gives the address.
   */
  environment?: { key?: string[]; url?: string[]; model?: string[]; more?: Record<string, string[]> };
  capabilities: Capabilities;
  /**
   * Names of request parameters that the provider knows; any other is an error (`extra_body.x` is the way through). A name that
   * ends with `*` stands for all that begin so (`reasoning_*`). Absent: any name is passed on.
   */
  parameters?: readonly string[];
  toRequest: (chat: Chat, tools: readonly Tool[], options: RequestOptions) => Request | Promise<Request>;
  /** Absent: it makes no vectors. */
  embeddings?: Embeddings<Client>;
  /** Absent: it makes no pictures. Its reply then has `image` messages. */
  images?: ImageOptions;
  /** Makes the SDK's client; loaded only when used. */
  client?: (credentials: Credentials) => Client | Promise<Client>;
  /**
   * The call. Throws what the SDK throws: `providerError` reads `status`, `code`, `headers` and `cause` from it.
   * A stream that ends before its end mark is an error.
   */
  send: (request: Request, client: Client, context: SendContext) => Promise<Raw>;
  /**
   * `tools` are those of the request: a name that had to be changed for the wire is changed back by them. `chat` is the whole
   * conversation: a call that came without an id gets one that stands nowhere in it.
   */
  fromReply: (raw: Raw, context?: { tools?: readonly Tool[]; chat?: Chat }) => Reply;
};

/** A backend without a wire format. */
export type DirectBackend = {
  name: string;
  defaultModel?: string;
  capabilities?: Partial<Capabilities>;
  parameters?: readonly string[];
  reply: (
    chat: Chat,
    context: { tools: readonly Tool[]; options: RequestOptions } & SendContext,
  ) => Reply | Promise<Reply>;
};

/** A way to ask a model: plain data with functions, without any state. */
export type Backend = WireBackend | DirectBackend;

export { defineBackend } from './define-backend.js';
