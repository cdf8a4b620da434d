import { messageOf } from '../message-of.js';
import { headOf } from '../well-formed.js';
import { hideSecrets } from './hide-secrets.js';

const longestAnswer = 300;

const ofStatus = (status: number): string | undefined => {
  if (status === 401 || status === 403)
    return `it refuses us (HTTP ${status}); check the key or headers that the configuration has for it`;
  if (status === 404) return 'there is no MCP server at this address (HTTP 404)';
  return status >= 300 && status < 600 ? `it answered with HTTP ${status}` : undefined;
};

const codeOf = (error: unknown): number | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : undefined;
};

const plain = (error: unknown): string =>
  messageOf(error)
    .replace(/^(?:MCP error -?\d+: )+/, '')
    .replace(/^Streamable HTTP error: (?:Error POSTing to endpoint: )?/, '')
    .replace(/^SSE error: /, '')
    .trim();

/** What went wrong with a server, in words that hold none of its credentials. */
export const describeFailure = (error: unknown, secrets: readonly string[], end?: string): string => {
  const code = codeOf(error);
  const status = code === undefined ? undefined : ofStatus(code);
  const message = headOf(plain(error), longestAnswer);
  const text = ((): string => {
    if (end !== undefined) return `its process ended (${end})`;
    if (status !== undefined) return message === '' || code === 404 ? status : `${status}: ${message}`;
    if (code === -32000 && message === 'Connection closed') return 'the connection ended before the answer was there';
    return message;
  })();
  return hideSecrets(text.replace(/[.\s]+$/, ''), secrets);
};

/** Whether a server says that it does not know our session, so that the request was not run and another session may take it. */
export const isSessionLost = (error: unknown): boolean => [400, 404].includes(codeOf(error) ?? 0);
