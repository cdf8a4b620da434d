import type { StopReason } from '../backend.js';

/** A call in a scripted reply. Without an id the provider's usual form of one is made. `arguments` may be text that is no JSON. */
export type ScriptedCall = { name: string; arguments: unknown; id?: string };

/** Token counts of a scripted reply; the prompt count includes what a cache gave, as in the meta of a chat. */
export type ScriptedUsage = { pt: number; ct: number; cct?: number; cwt?: number; rt?: number };

/** A reply in words that all wire formats can be given. */
export type ScriptedContent = {
  text?: string;
  calls?: ScriptedCall[];
  reasoning?: string;
  /** Signature of the reasoning, where the format has one. */
  signature?: string;
  usage?: ScriptedUsage;
  stopReason?: StopReason;
  model?: string;
  id?: string;
};

/** A request as a reader of its format sees it. */
export type ReadRequest = {
  model: string;
  system: string[];
  turns: ReadTurn[];
  tools: { name: string; parameters: unknown }[];
  format?: unknown;
};

/** One message of a request. `images` are addresses or data URIs. */
export type ReadTurn = {
  role: 'user' | 'assistant' | 'tool';
  texts: string[];
  images: string[];
  documents: string[];
  calls: { id: string; name: string; arguments: unknown }[];
  results: { id: string; text: string }[];
};

/** One provider's wire format, from the server's side. `number` counts the replies of a server, for ids. */
export type Wire = {
  name: string;
  /** End of the path that its requests go to. */
  path: string;
  /** Whether a path is one of its requests', where its end is not enough. */
  isPath?: (path: string) => boolean;
  /** Whether a stream is asked for, where the path says so and not the body. */
  isStreamed?: (path: string) => boolean;
  contentType: { plain: string; stream: string };
  /** The body of a whole reply. */
  toBody: (content: ScriptedContent, number: number) => Record<string, unknown>;
  /** The same reply as the pieces of a stream, each as it is written to the connection. */
  toStream: (content: ScriptedContent, number: number) => (string | Uint8Array)[];
  /** A recorded list of events as the pieces of a stream. */
  frame: (event: unknown) => string | Uint8Array;
  /** What marks the end of a stream, beyond its events. */
  end: string[];
  /** Reasons of stopping that the format can tell. */
  stopReasons: readonly StopReason[];
  toFailure: (status: number, code: string, message: string) => Record<string, unknown>;
  read: (body: Record<string, unknown>, path: string) => ReadRequest;
};

/** An empty turn, to be filled. */
export const turnOf = (role: ReadTurn['role'], parts: Partial<ReadTurn> = {}): ReadTurn => ({
  role,
  texts: [],
  images: [],
  documents: [],
  calls: [],
  results: [],
  ...parts,
});

/** A text in pieces of at most `length` characters, never within one. */
export const inPieces = (text: string, length = 5): string[] => {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  );
};

/** Arguments as the text that a model writes. */
export const argumentsText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A server-sent event: its name, where the format has names, and its data. */
export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
