import { createColors } from 'picocolors';
import type { ArgumentSpec, Command, OptionSpec } from './command.js';
import { groups, listedCommands } from './command-table.js';
import { globalOptions } from './global-options.js';
import { twoColumns, wrap } from './two-columns.js';

/** How help is laid out: colours on or off, and the columns that it may use. */
export type HelpLayout = { color: boolean; width: number };

const optionTerm = ({ name, short, value, endings }: OptionSpec) =>
  `${short ? `-${short}, ` : '    '}--${name}${value ? (endings ? ` [${value}]` : ` ${value}`) : ''}`;

const optionText = ({ description, choices, many }: OptionSpec) =>
  `${description}${choices ? ` (${choices.join(', ')})` : ''}${many ? '; may be repeated' : ''}`;

const argumentTerm = ({ name, optional, many }: ArgumentSpec) => {
  const word = `${name}${many ? '…' : ''}`;
  return optional ? `[${word}]` : word;
};

const optionRows = (options: readonly OptionSpec[]) =>
  options.map((option) => [optionTerm(option), optionText(option)] as const);

/** Global options; a letter that the command uses itself means what the command says. */
const everywhere = ({ options }: Command): OptionSpec[] =>
  globalOptions.map(({ ...option }: OptionSpec) => {
    if (options.some(({ short }) => short !== undefined && short === option.short)) delete option.short;
    return option;
  });

const globalWidth = Math.max(...optionRows(globalOptions).map(([term]) => term.length));

/** The help of the whole: every command with its summary, the options that all understand, three examples. */
export const renderHelp = ({ color, width }: HelpLayout): string => {
  const { bold, cyan, dim } = createColors(color);
  const left = Math.max(...listedCommands.map(({ name }) => name.length));
  return [
    `${bold('colophon')}: plain-text chats that can be run, and accounted for`,
    `${bold('Usage')}  colophon COMMAND [options] [words…]`,
    `${bold('Commands')}\n${twoColumns(
      listedCommands.map(({ name, summary }) => [name, summary] as const),
      { width, left, term: cyan },
    )}`,
    `${bold('Everywhere')}\n${twoColumns([...optionRows(globalOptions), ['-V, --version', 'show the version'] as const], { width, left: globalWidth, term: cyan })}`,
    `${bold('Examples')}\n${[
      ['colophon demo', 'see it at work, without any key'],
      ['colophon ask -c hello.chat "Say hello"', 'follow a chat file'],
      ['colophon chat check hello.chat', 'what is wrong with it'],
    ]
      .map(([line, does]) => `  ${line!.padEnd(40)} ${dim(does!)}`)
      .join('\n')}`,
    `${dim('More on a command: colophon COMMAND --help')}`,
  ].join('\n\n');
};

/** The help of a group of commands. */
export const renderGroupHelp = (group: string, { color, width }: HelpLayout): string => {
  const { bold, cyan, dim } = createColors(color);
  const rows = listedCommands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, summary }) => [name, summary] as const);
  return [
    `${bold(`colophon ${group}`)}: ${groups[group]}`,
    `${bold('Commands')}\n${twoColumns(rows, { width, term: cyan })}`,
    dim(`More on a command: colophon ${rows[0]![0]} --help`),
  ].join('\n\n');
};

/** The help of one command: usage, what it is for, its words and options, and examples that work. */
export const renderCommandHelp = (command: Command, { color, width }: HelpLayout): string => {
  const { bold, cyan, dim } = createColors(color);
  const words = command.arguments ?? [];
  const left = Math.max(globalWidth, ...optionRows(command.options).map(([term]) => term.length));
  return [
    `${bold('Usage')}  colophon ${[command.name, '[options]', ...words.map(argumentTerm)].join(' ')}`,
    wrap(command.description, width).join('\n'),
    ...(words.length > 0
      ? [
          twoColumns(
            words.map(
              (word) =>
                [
                  argumentTerm(word),
                  `${word.description}${word.choices ? ` (${word.choices.join(', ')})` : ''}`,
                ] as const,
            ),
            { width, term: cyan, left },
          ),
        ]
      : []),
    ...(command.options.length > 0
      ? [`${bold('Options')}\n${twoColumns(optionRows(command.options), { width, left, term: cyan })}`]
      : []),
    `${bold('Everywhere')}\n${twoColumns(optionRows(everywhere(command)), { width, left, term: cyan })}`,
    `${bold('Examples')}\n${command.examples.map(([line, does]) => `  ${line}\n      ${dim(does)}`).join('\n')}`,
  ].join('\n\n');
};
