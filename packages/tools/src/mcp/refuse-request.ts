import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { HttpPlace } from './serve-options.js';

/** Why a request is not taken, as it is answered. */
export type Refusal = { status: number; message: string; headers?: Record<string, string> };

const local = ['localhost', '127.0.0.1', '[::1]'];

const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname.toLowerCase() : undefined;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a host is this machine as only itself sees it. */
export const isLocal = (host: string): boolean => local.includes(host) || host === '::1' || host.startsWith('127.');

/**
 * Looks at the head of a request: its path, its key, and that it was sent to one of our names by no page of another host (a page
 * whose name was bound to this machine's address could else call tools). Undefined where it may pass.
 */
export const refuseRequest = (request: IncomingMessage, path: string, place: HttpPlace): Refusal | undefined => {
  const { host = '127.0.0.1', bearer, allowedHosts = [] } = place;
  const bound = host.includes(':') ? `[${host}]` : host;
  const names = [...local, bound, ...allowedHosts].map((name) => name.toLowerCase());
  const { headers } = request;
  const called = hostOf(`http://${headers.host}`) ?? '';
  // An address, unlike a name, was bound to this machine by nobody else.
  if (!names.includes(called) && isIP(called.replace(/^\[|\]$/g, '')) === 0)
    return { status: 403, message: 'This server is not known by the name in the Host header.' };
  const { origin } = headers;
  if (origin !== undefined && !names.includes(hostOf(origin) ?? ''))
    return { status: 403, message: 'This server takes no requests from pages of another host.' };
  if (bearer !== undefined) {
    const sent = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(sent), digest(bearer)))
      return { status: 401, message: 'The key is missing or wrong.', headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  const asked = hostOf(`http://x${request.url}`) === 'x' ? new URL(`http://x${request.url}`).pathname : undefined;
  return asked === path ? undefined : { status: 404, message: `MCP is served at ${path}.` };
};
