export { type NodeWorkflowOptions, nodeContext } from './node-context.js';
