import { serveRelay } from '@colophon/backends/node';
import { askContext } from '../ask-context.js';
import { defineCommand } from '../command.js';
import { usageError } from '../errors.js';

/** `[HOST:]PORT`; a host may be an IPv6 address in brackets. */
const readPlace = (place: string): { host?: string; port: number } => {
  const [, host, port] = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(place) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw usageError(`--http ${place}: expected a port, or HOST:PORT`, 'relay');
  return { port: Number(port), ...(host === undefined ? {} : { host: host.replace(/^\[|\]$/g, '') }) };
};

const readCount = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw usageError(`--${name} ${text}: expected a whole number above 0`, 'relay');
};

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export const command = defineCommand({
  name: 'relay',
  description:
    "Ask providers for other machines, with the keys of this one. Who asks sets `backend: relay`, its address and, as its key, the token that stands here in COLOPHON_RELAY_TOKEN (at least 16 characters); `provider` names the backend whose requests it sends. Requests and replies pass through and are not kept; tools run where the chat is. Keys and addresses come from this machine's environment, and from the endpoint of --endpoint for its backend. It listens on this machine alone; for others, put a proxy in front that speaks TLS.",
  options: [
    { name: 'http', value: 'PLACE', description: 'listen at this [HOST:]PORT; default 7979, 0 takes a free one' },
    { name: 'allow', value: 'BACKEND', many: true, description: 'relay only to these', complete: 'backend' },
    { name: 'timeout', value: 'SECONDS', description: 'the longest that one request may take; default 1200' },
    { name: 'concurrency', value: 'N', description: 'requests at once; default 16' },
  ],
  examples: [
    ['colophon relay', 'with COLOPHON_RELAY_TOKEN in the environment'],
    ['colophon relay --http 4200 --allow anthropic --endpoint work', 'one provider, by the key of one endpoint'],
  ],
  run: async ({ options }, context) => {
    const token = context.environment['COLOPHON_RELAY_TOKEN']?.trim() ?? '';
    if (token.length < 16)
      throw usageError('set COLOPHON_RELAY_TOKEN to a token of at least 16 characters that clients must send', 'relay');
    const seconds = readCount('timeout', options.timeout);
    const concurrency = readCount('concurrency', options.concurrency);
    const { endpoint } = context.asked;
    const relay = await serveRelay({
      token,
      context: askContext(context),
      ...(options.http === undefined ? {} : readPlace(options.http)),
      ...(options.allow === undefined ? {} : { allow: options.allow }),
      ...(seconds === undefined ? {} : { timeout: seconds * 1000 }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(endpoint === undefined ? {} : { endpoint }),
      log: (line) => context.log('info', `${context.now().toISOString()} ${line}`),
    });
    context.log('info', `relaying at ${relay.url}`);
    await ended(context.signal);
    await relay.close();
    return 0;
  },
});
