export { type NodeContextOptions, nodeContext } from './node-context.js';
export { type Relay, type RelayOptions, serveRelay } from './serve-relay.js';
