/** What the model sees of a file: `<file name="…">`, its text as it is, `</file>`, each on lines of their own. */
export declare const wrapFile: (name: string, text: string) => string;
