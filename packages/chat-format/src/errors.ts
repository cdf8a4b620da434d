import type { Position } from './message.js';

/** Facts that an error carries beside its message; `cause` is kept. */
export type ErrorFacts = { at?: Position | undefined; role?: string | undefined; retryable?: boolean; cause?: unknown; [key: string]: unknown };

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
