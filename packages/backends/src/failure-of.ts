import { ColophonError } from '@colophon/chat-format';
import { providerError } from './provider-error.js';
import { redact, redactCause, secretsOf } from './redact.js';
import type { Run } from './run.js';

/**
 * Any failure as an error of the project: with the chat so far, what the provider said, and whether asking again may help; without
 * any secret.
 */
export const failureOf = (error: unknown, { options, input, fresh, signal }: Run): ColophonError => {
  const secrets = secretsOf(options.credentials);
  const known = signal.aborted
    ? new ColophonError('aborted', 'The request was aborted.', { retryable: false, cause: error })
    : providerError(error, { backend: options.backend.name, secrets });
  const { at, ...facts } = {
    ...known.facts,
    chat: [...input.stored, ...input.question, ...fresh],
    model: options.model,
  };
  const cause = redactCause(known.cause, secrets);
  // The place stands in the message already.
  const message = redact(known.message, secrets);
  const failure = new ColophonError(known.code, message, { ...facts, ...(cause === undefined ? {} : { cause }) });
  if (at) failure.facts.at = at;
  return failure;
};
