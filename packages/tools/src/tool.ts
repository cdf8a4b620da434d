import type { Meta } from '@colophon/chat-format';

/**
 * A JSON Schema object. Beside `properties`, `defaults` holds values that override a call's arguments, and `hidden` properties that a
 * call may give although no model is told of them.
 */
export type JsonSchema = { [key: string]: unknown };

/** What a tool tells while it runs; `done` of `total`, in the tool's own unit. */
export type Progress = { message: string; done?: number; total?: number };

/** What a tool's function may know of the call that it answers; `RunContext.toolContext` adds to it. */
export type ToolContext = {
  /** Aborted when the run is stopped or the call's time is up. */
  signal: AbortSignal;
  /** Id of the call, as the model gave it. */
  callId: string;
  /** Tells progress; shown by the command line. Does nothing once the call is over. */
  onProgress: (progress: Progress) => void;
  [key: string]: unknown;
};

/**
 * A tool: plain data with a function. `run` may return a string, any JSON value, nothing (the model sees `success`), an
 * `Error`, or a `toolResult()`; whatever it throws becomes an error output that the model sees.
 */
export type Tool = {
  /** Letters, digits, `_` and `-`, at most 128. */
  name: string;
  description: string;
  /** JSON Schema (2020-12 or draft-07) of an object. */
  parameters: JsonSchema;
  run: (parameters: Record<string, unknown>, context: ToolContext) => unknown;
  /** Mends what a model sent before it is checked against the schema, such as a list given as JSON text. */
  prepare?: (parameters: Record<string, unknown>) => Record<string, unknown>;
  /** An interrupted call may be run again when a chat is resumed. Absent means no. */
  idempotent?: boolean;
  /** Changes nothing. Absent means unknown. */
  readOnly?: boolean;
  /** May delete or overwrite. Absent means unknown. */
  destructive?: boolean;
  /** Milliseconds; overrides the context's time limit. `Infinity`: none. */
  timeout?: number;
  /** Milliseconds for which a call that was stopped is still waited for, so that the receipts in its result are kept. Absent: none. */
  grace?: number;
  /** Where the tool comes from, for the error when two have one name: `main.chat:3 tool: Kitchen`. */
  origin?: string;
};

/** A result that says more than its content: receipts of delegated inferences, the job that holds it, a kind of failure. */
export type ToolResult = { content: unknown; meta?: Meta[]; step?: string; error?: ToolFailure };

/** Kinds of failed or cut output, as stored in the envelope's `error`. */
export type ToolFailure = 'error' | 'truncated' | 'invalid_arguments' | 'not_found' | 'aborted' | 'timeout' | 'missing';

/** A model's request to run a tool. `arguments` is a JSON value or the JSON text that the model wrote. */
export type Call = { id?: string; name: string; arguments: unknown };
