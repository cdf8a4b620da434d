// Imported lazily, as one module: only a run that has an MCP server pays for the SDK.
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
export { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/sdk/client/stdio.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { JSONRPCMessageSchema, ProgressNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
