import type { Position } from './message.js';

/** Facts that an error carries beside its message; `cause` is kept. */
export type ErrorFacts = {
  at?: Position | undefined;
  role?: string | undefined;
  retryable?: boolean;
  cause?: unknown;
  [key: string]: unknown;
};

/**
 * The one error class of the project: a `code` to branch on and a message that says what was received, what was expected,
 * where, and what to do. A known position is put in front of the message as `file:line`.
 */
export class ColophonError extends Error {
  override readonly name = 'ColophonError';
  readonly code: string;
  readonly facts: ErrorFacts;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    const place = facts.at ? `${facts.at.file ?? 'line'}${facts.at.file ? ':' : ' '}${facts.at.line}: ` : '';
    super(place + message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.facts = facts;
  }
}

/** `meta_key`: a field name that would not be read back from a `meta` line. */
export const metaKeyError = (key: string): ColophonError =>
  new ColophonError(
    'meta_key',
    `Meta key ${JSON.stringify(key)} can't be written: a key is made of A-Z a-z 0-9 _. Rename it.`,
    { key },
  );

/** `meta_value`: a field value that a `meta` line can't hold. */
export const metaValueError = (key: string, value: unknown): ColophonError =>
  new ColophonError(
    'meta_value',
    `Meta value of ${key} is ${typeof value === 'number' ? value : typeof value}, expected text or a number that reads back as itself ` +
      '(finite, an integer below 2^53). Write it as text.',
    { key },
  );

/** `invalid_json`: text that neither is JSON nor holds a json fence with JSON in it. */
export const jsonError = (text: string): ColophonError => {
  const head = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new ColophonError(
    'invalid_json',
    `Expected JSON, alone or in a \`\`\`json fence, got ${JSON.stringify(head)}.`,
  );
};

/** `frozen_chat`: an array that verbs can't be put on. */
export const frozenChatError = (): ColophonError =>
  new ColophonError(
    'frozen_chat',
    'Verbs can only be put on an array that takes properties, got a frozen or sealed one. Annotate a copy: chat([...messages]).',
  );

const show = (value: unknown) => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

type Faulty = { role?: unknown; at?: Position | undefined };

/** `bad_role`: a role that cannot be written as a header. */
export const roleError = (message: Faulty): ColophonError =>
  new ColophonError(
    'bad_role',
    `${show(message.role)} is no role that can be written: a role is a lower-case letter, then lower-case letters, digits and _`,
    { at: message.at, received: message.role },
  );

/** `bad_content`: a content that no text can stand for. */
export const contentError = (message: Faulty, why: string, cause?: unknown): ColophonError =>
  new ColophonError(
    'bad_content',
    `the content of this ${message.role} message cannot be written: ${why}. Give a well-formed string, or data that JSON can hold`,
    { at: message.at, role: String(message.role), cause },
  );
