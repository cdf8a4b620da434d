import type { Files } from '../context.js';
/** The disk of this machine, and the network for chats that are imported from an address (20 MB, 30 seconds at most). */
export declare const diskFiles: Files;
