/// <reference lib="es2024.string" />

/** Replaces lone surrogates by U+FFFD, so that text can be written and sent. */
export const wellFormed = (text: string): string => text.toWellFormed();

/** The first `length` UTF-16 units, one less where that would cut a pair. */
export const headOf = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** The last `length` UTF-16 units, one less where that would cut a pair. */
export const tailOf = (text: string, length: number): string =>
  length > 0 ? text.slice(-length).replace(/^[\uDC00-\uDFFF]/, '') : '';
