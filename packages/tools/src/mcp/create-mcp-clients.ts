import type { McpServer } from '../declarations/declaration.js';
import { badMcpServer, mcpClosed } from '../errors.js';
import type { Tool } from '../tool.js';
import type { RemoteTool } from './list-remote-tools.js';
import type { McpClientsOptions } from './mcp-settings.js';
import { createServerClient, type ServerClient } from './server-client.js';
import { type Target, toTarget } from './to-target.js';

/** The MCP clients of a run. `tools` fits `ToolSources.mcp`. */
export type McpClients = {
  /**
   * The tools of a server, connected to at its first naming. Throws `unknown_mcp_server`, `bad_mcp_server`, `mcp_unreachable`
   * and `mcp_closed`; what goes wrong with a server later is the failure of a call.
   */
  tools: (server: McpServer) => Promise<Tool[]>;
  /** Ends all connections, and the processes behind them with what they started. Never rejects; a second time does no harm. */
  close: () => Promise<void>;
};

const chosen = (remote: readonly RemoteTool[], { only, label }: Target): readonly RemoteTool[] => {
  if (!only) return remote;
  const missing = only.find((name) => !remote.some((tool) => tool.name === name || tool.remoteName === name));
  if (missing === undefined)
    return remote.filter(({ name, remoteName }) => only.includes(name) || only.includes(remoteName));
  const known = remote.map(({ name }) => `\`${name}\``).join(', ') || 'none';
  throw badMcpServer(label, `\`tools\` names \`${missing}\`, which the server does not have; it has: ${known}`);
};

const toTool = (client: ServerClient, { label, timeout }: Target, { remoteName, ...tool }: RemoteTool): Tool => ({
  ...tool,
  ...(timeout === undefined ? {} : { timeout }),
  origin: `mcp: ${label}`,
  run: (parameters, context) => client.call(remoteName, parameters, context),
});

// Two declarations are one server where they lead to one place with the same credentials.
const keyOf = ({ label: _label, timeout: _timeout, only: _only, secrets: _secrets, ...place }: Target): string =>
  JSON.stringify(place);

/**
 * Clients of MCP servers: one a server and run, however often and in parallel it is named, until `close`. A call that finds its
 * server ended opens it again (three times a run at most); no call is sent twice, unless the server says that it did not take it.
 * What servers ask of us (sampling, elicitation, roots) is refused; changes of a server's list do not count within a run.
 */
export const createMcpClients = (options: McpClientsOptions): McpClients => {
  const clients = new Map<string, ServerClient>();
  let closed: Promise<void> | undefined;

  const clientOf = (target: Target): ServerClient => {
    const key = keyOf(target);
    const known = clients.get(key);
    if (known) return known;
    const client = createServerClient(target, options);
    clients.set(key, client);
    // A server that could not be reached may be, the next time it is named.
    client.listed.catch(() => {
      if (clients.get(key) === client) clients.delete(key);
    });
    return client;
  };

  return {
    tools: async (server) => {
      const target = await toTarget(server, options);
      if (closed) throw mcpClosed();
      const client = clientOf(target);
      return chosen(await client.listed, target).map((tool) => toTool(client, target, tool));
    },
    close: () => {
      closed ??= Promise.all([...clients.values()].map((client) => client.close())).then(() => {});
      return closed;
    },
  };
};
