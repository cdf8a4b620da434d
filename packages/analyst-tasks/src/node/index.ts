export { type NodeAnalystOptions, nodeAnalystContext } from './node-analyst-context.js';
