/** Strings joined from small pieces are written out when they are this long. */
export const chainLimit = 2_048;

/**
 * The same string in one piece. The engine keeps strings that are joined one by one as a chain, whose links cost more
 * than the text itself where the pieces are small; reading a character makes it write the chain out.
 */
export const writtenOut = (text: string): string => {
  text.charCodeAt(0);
  return text;
};

/** A long text in the making, of pieces small or large. */
export type TextBuilder = { done: string; recent: string };

/** Makes an empty text. */
export const textBuilder = (): TextBuilder => ({ done: '', recent: '' });

/** Puts a piece at the end. */
export const addText = (builder: TextBuilder, piece: string): void => {
  builder.recent += piece;
  if (builder.recent.length < chainLimit) return;
  builder.done += piece.length < chainLimit ? writtenOut(builder.recent) : builder.recent;
  builder.recent = '';
};

/** Length of the text so far. */
export const textLength = ({ done, recent }: TextBuilder): number => done.length + recent.length;

/** The text so far. */
export const builtText = ({ done, recent }: TextBuilder): string => done + recent;
