import { parseArgs } from 'node:util';
import type { ArgumentSpec, Command, Given, OptionSpec } from './command.js';
import { usageError } from './errors.js';
import { globalOptions } from './global-options.js';
import { nearest } from './near.js';
import { splitFlags } from './split-flags.js';

/** `-e=name` is `-e name`, up to `--`. */
const splitShort = (words: readonly string[]): string[] => {
  const end = words.indexOf('--');
  return words.flatMap((word, index) =>
    /^-[A-Za-z]=/.test(word) && (end < 0 || index < end) ? [word.slice(0, 2), word.slice(3)] : [word],
  );
};

const shown = ({ name, value }: OptionSpec): string => `--${name}${value ? ` ${value}` : ''}`;

const checkChoice = (what: string, word: string, choices: readonly string[] | undefined, command: string): void => {
  if (choices && !choices.includes(word))
    throw usageError(`${what}: received ${word}, expected one of ${choices.join(', ')}`, command);
};

type OptionToken = { rawName: string; name: string; value: string | undefined; inlineValue: boolean | undefined };

const readOption = (
  { rawName, name, value, inlineValue }: OptionToken,
  options: readonly OptionSpec[],
  command: string,
): [OptionSpec, string | true] => {
  const option = options.find((known) => known.name === name);
  if (option === undefined) {
    const near = nearest(
      name,
      options.map((known) => known.name),
    );
    throw usageError(
      `unknown option ${rawName}${near ? `; did you mean --${near}?` : ' (a word that begins with - stands behind --)'}`,
      command,
    );
  }
  if (option.endings !== undefined) return [option, value ?? true];
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${rawName} takes no value`, command);
    return [option, true];
  }
  if (value === undefined || (!inlineValue && /^-./.test(value)))
    throw usageError(`${rawName} needs a value: ${shown(option)}`, command);
  checkChoice(shown(option), value, option.choices, command);
  return [option, value];
};

const checkWords = (
  words: readonly string[],
  specs: readonly ArgumentSpec[],
  command: string,
  refused: OptionSpec | undefined,
): void => {
  const missing = specs.find(({ optional }, index) => !optional && words[index] === undefined);
  if (missing) {
    const choices = missing.choices ? ` (${missing.choices.join(', ')})` : '';
    throw usageError(`${missing.name} is missing: ${missing.description}${choices}`, command);
  }
  if (words.length > specs.length && !specs.at(-1)?.many)
    throw usageError(
      `too many arguments: ${words[specs.length]}${refused ? `; a file behind --${refused.name} ends in ${refused.endings!.join(', ')}` : ''}`,
      command,
    );
  for (const [index, word] of words.entries()) {
    const spec = specs[index] ?? specs.at(-1)!;
    checkChoice(spec.name, word, spec.choices, command);
  }
};

/**
 * Reads the words behind a command's name. Options may stand anywhere; behind `--` everything is a word. Whatever doesn't fit
 * the command's description is a usage error of one line.
 */
export const parseGiven = (command: Command, given: readonly string[]): Given<readonly OptionSpec[]> => {
  const described: readonly OptionSpec[] = [...command.options, ...globalOptions];
  const { words, flags } = command.takesFlags ? splitFlags(given, described) : { words: given, flags: [] };
  const { tokens } = parseArgs({
    args: splitShort(words),
    options: Object.fromEntries(
      described.map(
        ({ name, short, value, endings }) =>
          [name, { type: value === undefined || endings ? 'boolean' : 'string', ...(short ? { short } : {}) }] as const,
      ),
    ),
    strict: false,
    tokens: true,
  });
  const options: Record<string, string | true | string[]> = {};
  const plain: string[] = [];
  // The option whose value the next word may be.
  let open: OptionSpec | undefined;
  // The option whose value it was not, by its ending.
  let refused: OptionSpec | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (open?.endings?.some((ending) => token.value.endsWith(ending))) options[open.name] = token.value;
      else {
        plain.push(token.value);
        if (open?.endings) refused = open;
      }
    }
    open = undefined;
    if (token.kind !== 'option') continue;
    const [option, value] = readOption(token, described, command.name);
    options[option.name] = option.many
      ? [...((options[option.name] as string[] | undefined) ?? []), String(value)]
      : value;
    if (value === true) open = option;
  }
  checkWords(plain, command.arguments ?? [], command.name, refused);
  return { words: plain, options: options as Given<readonly OptionSpec[]>['options'], flags };
};
