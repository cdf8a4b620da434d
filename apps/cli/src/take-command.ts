import { globalOptions } from './global-options.js';

/** What the words of a command line name. `rest` is everything but the command's name, in order. */
export type Taken = { name: string | undefined; rest: string[]; wantsHelp: boolean; wantsVersion: boolean };

const takesValue = (word: string): boolean =>
  globalOptions.some(
    (option) =>
      'value' in option && (word === `--${option.name}` || ('short' in option && word === `-${option.short}`)),
  );

/** Index of the first word that is neither an option nor the value of a global one; -1 behind `--` or at the end. */
const nextWord = (words: readonly string[], from: number): number => {
  for (let index = from; index < words.length && words[index] !== '--'; index++) {
    if (!words[index]!.startsWith('-')) return index;
    if (takesValue(words[index]!)) index++;
  }
  return -1;
};

/** Takes the command's name out of the words: global options may stand before it, and between a group and its command. */
export const takeCommand = (words: readonly string[], groups: readonly string[]): Taken => {
  const first = nextWord(words, 0);
  const indexes = first < 0 ? [] : [first];
  if (first >= 0 && groups.includes(words[first]!)) {
    const second = nextWord(words, first + 1);
    if (second >= 0) indexes.push(second);
  }
  const end = words.indexOf('--');
  const has = (...flags: string[]) => words.slice(0, end < 0 ? undefined : end).some((word) => flags.includes(word));
  return {
    name: indexes.map((index) => words[index]).join(' ') || undefined,
    rest: words.filter((_, index) => !indexes.includes(index)),
    wantsHelp: has('--help', '-h'),
    wantsVersion: first < 0 && has('--version', '-V'),
  };
};
