export { type Appender, appendMessages, openAppender } from './append.js';
export { type Hold, holdFile } from './hold.js';
export { withLock } from './lock.js';
export { loadChat, type Roots, readText } from './read.js';
export { save, type WriteOptions, type WriteResult, write, writeAnswer, writeAtomically } from './write.js';
