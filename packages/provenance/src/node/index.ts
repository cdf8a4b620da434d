export { type NodeReaderOptions, nodeReader, type ReadStatistics } from './node-reader.js';
export { type Png, toPng } from './png.js';
export type { Extract } from './read-chat.js';
export { toSvg } from './svg.js';
