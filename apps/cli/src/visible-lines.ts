import { visibleText } from '@colophon/provenance';

/** Text of several lines as it may stand on a terminal: lines and tabs stay, nothing else that a terminal would obey. */
export const visibleLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(visibleText).join('\t'))
    .join('\n');
