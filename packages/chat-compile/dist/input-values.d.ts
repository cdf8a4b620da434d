import { type Subject } from './errors.js';
/** What was read, and the index behind it. */
export type Read<T> = {
    value: T;
    end: number;
};
/** Index of the first letter at or behind `start` that a pattern (with the flag `g`) matches, else the end of the text. */
export declare const indexOf: (pattern: RegExp, text: string, start: number) => number;
/** Index of the first letter at or behind `start` that is no white space. */
export declare const skipSpace: (text: string, start: number) => number;
/** Index of the first white space at or behind `start`. */
export declare const endOfWord: (text: string, start: number) => number;
/** Whether a word ends at an index. */
export declare const isEnd: (text: string, at: number) => boolean;
/** Text without quotes: `:name` is the original's symbol, `.5` a number, the rest as everywhere. */
export declare const bareValue: (text: string) => unknown;
/**
 * Reads the value of an input: JSON in brackets, texts in quotes, a list of texts, or a bare value.
 *
 * @throws ColophonError `invalid_inputs`.
 */
export declare const readValue: (text: string, at: number, key: string, subject: Subject) => Read<unknown>;
