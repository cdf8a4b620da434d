export { createMcpClients, type McpClients } from './create-mcp-clients.js';
export type { McpClientsOptions, McpSettings } from './mcp-settings.js';
export { serveMcp } from './serve-mcp.js';
export type { HttpPlace, ServeOptions, Serving, StdioPlace } from './serve-options.js';
