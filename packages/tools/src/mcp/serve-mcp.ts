import { checkRegistry } from '../registry.js';
import type { Tool } from '../tool.js';
import { serveHttp } from './serve-http.js';
import type { ServeOptions, Serving } from './serve-options.js';
import { serveStdio } from './serve-stdio.js';

/**
 * Serves tools over MCP, to one client over stdio or to many by streamable HTTP. Names, descriptions, schemas and annotations are
 * listed as they are (fixed inputs are not shown); calls are validated, limited and answered as `runCalls` does it, and a failure is a
 * result with `isError` and its message.
 *
 * Throws `invalid_tool`, `duplicate_tool`, and `bad_mcp_place` for a port in use or a host that others reach without a key.
 */
export const serveMcp = async (tools: readonly Tool[], options: ServeOptions): Promise<Serving> => {
  checkRegistry(tools);
  const { transport, signal } = options;
  signal?.throwIfAborted();
  const serving =
    transport.kind === 'stdio'
      ? await serveStdio(tools, transport, options)
      : await serveHttp(tools, transport, options);
  const stop = () => serving.close();
  if (signal?.aborted) await stop();
  signal?.addEventListener('abort', stop, { once: true });
  serving.ended.then(() => signal?.removeEventListener('abort', stop));
  return serving;
};
