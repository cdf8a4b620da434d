/** The value of a double-quoted text that begins at `start`, and the index behind its closing quote; undefined if it has none. */
export declare const readQuoted: (text: string, start: number) => {
    value: string;
    end: number;
} | undefined;
/** The same for single quotes, inside which nothing is special. */
export declare const readSingleQuoted: (text: string, start: number) => {
    value: string;
    end: number;
} | undefined;
/** Words apart by white space. A word in double or single quotes may hold white space; a quote inside a word is a letter. */
export declare const splitWords: (text: string) => {
    value: string;
    quoted: boolean;
}[];
