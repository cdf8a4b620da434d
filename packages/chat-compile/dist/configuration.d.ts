import type { ConfigEntry } from './context.js';
import { type Subject } from './errors.js';
/** The entry that `key value token…` stands for. A value with white space stands in quotes. */
export declare const toConfigEntry: (text: string, subject?: Subject) => ConfigEntry;
/**
 * The entries of an `etc/config` file, one a line. `#` at the start of a word begins a comment.
 *
 * @throws ColophonError `invalid_config` with the line.
 */
export declare const parseConfig: (text: string, file?: string) => ConfigEntry[];
/**
 * What configuration says for a key in some scope. An entry counts where it has the key and one of the tokens asked for; every entry
 * also has the token `key:<key>`. The best priority wins (see `toToken`: `line: file: task: workflow:` 1 to 4, others 10,
 * `key:` 20, or `token::N`), then the token asked for first, then the latest entry; where none counts it is `fallback`. The
 * values `false` and `nil` are false and undefined, `env:A,B` is the first of these names that is set in `environment`.
 *
 * @param tokens - in order of preference
 */
export declare const lookUpConfig: <Fallback = undefined>(entries: readonly ConfigEntry[], key: string, tokens?: readonly string[], fallback?: Fallback, environment?: Readonly<Record<string, string | undefined>>) => string | false | undefined | Fallback;
