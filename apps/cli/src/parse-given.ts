import { Argument, CommanderError, Option, Command as Parser } from 'commander';
import type { Command, Given, OptionSpec } from './command.js';
import { usageError } from './errors.js';
import { globalOptions } from './global-options.js';

const toOption = ({ name, short, value, many, choices }: OptionSpec): Option => {
  const option = new Option(`${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`);
  if (choices) option.choices(choices);
  if (many) option.argParser((word: string, before: string[] | undefined) => [...(before ?? []), word]);
  return option;
};

/** `-e=name` is `-e name`, up to `--`. */
const splitShort = (words: readonly string[]): string[] => {
  const end = words.indexOf('--');
  return words.flatMap((word, index) =>
    /^-[A-Za-z]=/.test(word) && (end < 0 || index < end) ? [word.slice(0, 2), word.slice(3)] : [word],
  );
};

/**
 * Reads the words behind a command's name. Options may stand anywhere; behind `--` everything is a word. Whatever doesn't fit
 * the command's description is a usage error of one line.
 */
export const parseGiven = (command: Command, words: readonly string[]): Given<readonly OptionSpec[]> => {
  const parser = new Parser(command.name)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false);
  const described = [...command.options, ...globalOptions];
  const built = described.map((spec) => [spec.name, toOption(spec)] as const);
  for (const [, option] of built) parser.addOption(option);
  for (const { name, optional, many, choices } of command.arguments ?? []) {
    const argument = new Argument(optional ? `[${name}${many ? '...' : ''}]` : `<${name}${many ? '...' : ''}>`);
    parser.addArgument(choices ? argument.choices(choices) : argument);
  }
  try {
    parser.parse(splitShort(words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw usageError(
      error.message
        .replace(/^error: /, '')
        .replaceAll('\n', ' ')
        .replace(/\.$/, ''),
      command.name,
    );
  }
  const values = parser.opts();
  const options = built.flatMap(([name, option]) =>
    values[option.attributeName()] === undefined ? [] : [[name, values[option.attributeName()]]],
  );
  return {
    words: parser.processedArgs.flat().filter((word) => word !== undefined),
    options: Object.fromEntries(options),
  };
};
