export { createKnowledgeBases, type KnowledgeBaseOptions, type KnowledgeBases } from './create-knowledge-bases.js';
export type { Database } from './database.js';
export { type KnowledgeBase, type OpenOptions, openKnowledgeBase } from './knowledge-base.js';
export type { DatabaseWarning } from './make-table.js';
export type { DatabaseOptions, TableOptions } from './table-options.js';
