import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** An answer to a call, as far as tests look at it. */
export type CallToolResult = { content: { text?: string }[]; isError?: boolean };

/** The official client on a server: one that it starts, or one at an address. */
export const openMcp = async (
  server: string | string[],
  { cwd, environment = {}, key }: { cwd?: string; environment?: Record<string, string>; key?: string },
) => {
  let said = '';
  const client = new Client({ name: 'test', version: '1' });
  if (typeof server === 'string') {
    const headers = { Authorization: `Bearer ${key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(server), { requestInit: { headers } }) as never);
  } else {
    const [command = '', ...args] = server;
    const env = { PATH: process.env['PATH'] ?? '', ...environment };
    const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe', ...(cwd ? { cwd } : {}) });
    transport.stderr?.on('data', (chunk) => {
      said += String(chunk);
    });
    await client.connect(transport);
  }
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name: string, given: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: given })) as CallToolResult,
    stderr: () => said,
    close: () => client.close(),
  };
};
