import type { ResultType } from '@colophon/workflow';
/**
 * The result type `chat` as messages: a task may return them, or chat text. Reading parses and nothing else: whatever roles stand in a
 * result, none is compiled.
 */
export declare const chatResultType: ResultType;
