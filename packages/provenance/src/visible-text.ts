// Controls, line ends, direction marks and half surrogates. The two joiners stay: emoji and several scripts are written with them.
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const show = (character: string): string => {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/**
 * Text as it may stand in one line of a terminal or a picture: names and texts come from models and disks, and are data. Control
 * characters are shown as their pictures (`␛`), other invisible ones by their number (`<U+202E>`).
 */
export const visibleText = (text: string): string => text.replace(hidden, show);
