/** A text without quotes as it is meant: JSON scalars, `nil` and `null` as null, the rest as text. */
export declare const scalarValue: (text: string) => unknown;
/**
 * A value as a person writes it in a chat: JSON scalars, arrays and objects are parsed; quotes, double or single, keep a string a
 * string; `nil` and `null` are null; the rest is text.
 */
export declare const typedValue: (text: string) => unknown;
