export { type NodeReaderOptions, nodeReader, type ReadStatistics } from './node-reader.js';
export type { Extract } from './read-chat.js';
