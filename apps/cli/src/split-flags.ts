import type { OptionSpec } from './command.js';

/** A flag that no option of the command explains, as it was written: `--flour 500`, `--flour=500`, `--fan`. */
export type Flag = { written: string; name: string; value?: string };

const isFlag = (word: string | undefined): boolean => word !== undefined && /^--?[^-\d]/.test(word);

const findOption = (word: string, options: readonly OptionSpec[]): OptionSpec | undefined => {
  const name = word.split('=')[0]!;
  return options.find((option) => name === `--${option.name}` || (option.short && name === `-${option.short}`));
};

/**
 * Takes the flags out that none of the options explains, each with the word behind it as its value unless that is a flag, too. What
 * stands behind `--` is left alone.
 */
export const splitFlags = (
  words: readonly string[],
  options: readonly OptionSpec[],
): { words: string[]; flags: Flag[] } => {
  const end = words.indexOf('--');
  const last = end < 0 ? words.length : end;
  const rest: string[] = [];
  const flags: Flag[] = [];
  for (let index = 0; index < last; index++) {
    const word = words[index]!;
    const option = findOption(word, options);
    const next = index + 1 < last ? words[index + 1] : undefined;
    if (!isFlag(word) || option) {
      rest.push(word);
      if (option?.value !== undefined && !word.includes('=') && next !== undefined) rest.push(words[++index]!);
      continue;
    }
    const [, name = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word)!;
    if (value !== undefined) flags.push({ written: word, name, value });
    else if (next !== undefined && !isFlag(next)) flags.push({ written: word, name, value: words[++index]! });
    else flags.push({ written: word, name });
  }
  return { words: [...rest, ...words.slice(last)], flags };
};
