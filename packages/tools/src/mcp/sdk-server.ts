// Imported lazily, as one module: only a program that serves pays for the SDK.
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export {
  CallToolRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  RequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
