/** Facts that an error carries beside its message; `at` is put in front of the message as `file:line:column`. */
export type ErrorFacts = {
  at?: { file?: string; line: number; column?: number } | undefined;
  cause?: unknown;
  [key: string]: unknown;
};

/**
 * The error of the project: a `code` to branch on and a message that says what was received, what was expected, where, and what to
 * do. Each package that stands alone has this class; tell it by `name` and `code`, not by `instanceof`.
 */
export class ColophonError extends Error {
  override readonly name = 'ColophonError';
  readonly code: string;
  readonly facts: ErrorFacts;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    const { at, cause } = facts;
    const column = at?.column === undefined ? '' : `:${at.column}`;
    const place = at ? `${at.file ?? 'line'}${at.file ? ':' : ' '}${at.line}${column}: ` : '';
    super(place + message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.facts = facts;
  }
}
