export { diskFiles } from './disk-files.js';
export { nodeContext } from './node-context.js';
