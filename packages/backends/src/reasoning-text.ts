/** Pieces of readable reasoning as one line: what is no text or blank is left out, line ends become spaces. */
export const joinReasoning = (pieces: readonly unknown[]): string | undefined => {
  const readable = pieces.filter((piece): piece is string => typeof piece === 'string' && piece.trim() !== '');
  if (readable.length === 0) return undefined;
  return readable.map((piece) => piece.replaceAll(/\r\n|[\r\n]/g, ' ').trim()).join(' ');
};
