/** Where a message was read: the file it came from, where one is known, and the 1-based line of its header. */
export type Position = { file?: string; line: number };

/**
 * One message of a chat. `role` matches `^[a-z][a-z0-9_]*$` where it is to be printed. `at` and any other key live in memory
 * only: they are neither printed nor hashed.
 */
export type Message = { role: string; content: string; at?: Position; [key: string]: unknown };

/** A chat is a plain array of messages. */
export type Chat = Message[];

/** What the printer takes: contents that are objects or arrays print as JSON, `null` as nothing. */
export type PrintableMessage = { role: string; content: unknown; [key: string]: unknown };
