export { createMcpClients, type McpClients } from './create-mcp-clients.js';
export type { McpClientsOptions, McpSettings } from './mcp-settings.js';
