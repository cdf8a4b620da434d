export { type NodeContextOptions, nodeContext } from './node-context.js';
