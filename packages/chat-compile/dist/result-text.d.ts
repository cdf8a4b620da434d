import { type Subject } from './errors.js';
/** A result as content of a message: text as it is, anything else as JSON. */
export declare const resultText: (value: unknown, subject: Subject) => string;
