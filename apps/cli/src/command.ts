import type { MachineContext } from './context.js';
import type { Flag } from './split-flags.js';

/** What the shell offers when the word behind an option, or an argument, is completed. */
export type CompletionKind =
  | 'file'
  | 'chat'
  | 'endpoint'
  | 'backend'
  | 'template'
  | 'workflow'
  | 'task'
  | 'input'
  | 'agent';

/** An option of a command. Without `value` it is a switch; `value` is the placeholder that help shows. */
export type OptionSpec = {
  /** Long name without its dashes; also the key of its value. */
  name: string;
  short?: string;
  value?: string;
  /** The value may be left out. It is the next word only where that ends in one of these; `--name=value` always works. */
  endings?: readonly string[];
  /** May be given several times; its value is then a list. */
  many?: true;
  choices?: readonly string[];
  description: string;
  complete?: CompletionKind;
};

/** A word that a command takes. Required unless `optional`; the last one may take `many`. */
export type ArgumentSpec = {
  name: string;
  description: string;
  optional?: true;
  many?: true;
  choices?: readonly string[];
  complete?: CompletionKind;
};

type OptionValue<O extends OptionSpec> = O extends { value: string }
  ? O extends { many: true }
    ? string[]
    : O extends { endings: readonly string[] }
      ? string | true
      : string
  : true;

/** The values of a command's options, by their long name; what was not given is absent. */
export type OptionValues<Options extends readonly OptionSpec[]> = {
  [O in Options[number] as O['name']]?: OptionValue<O>;
};

/**
 * What the person wrote behind the command's name. `words` holds the arguments in order, `flags` what no option of a command with
 * `takesFlags` explains.
 */
export type Given<Options extends readonly OptionSpec[]> = {
  words: string[];
  options: OptionValues<Options>;
  flags: readonly Flag[];
};

/** One command of the command line, as data. `run` may return an exit code; nothing is 0. */
export type Command<Options extends readonly OptionSpec[] = readonly OptionSpec[]> = {
  /** As it is typed, e.g. `chat print`. */
  name: string;
  /** First sentence: the summary in the list of commands. The rest: what one should know. */
  description: string;
  arguments?: readonly ArgumentSpec[];
  options: Options;
  /** Flags that are no options are left to the command: what they may be is known when it runs. */
  takesFlags?: true;
  /** Command lines that work, each with what it does. */
  examples: readonly (readonly [line: string, does: string])[];
  run: (
    given: Given<Options>,
    context: MachineContext,
  ) => Promise<number | undefined> | number | undefined | Promise<void> | void;
};

/** Types the values of a command's options from their descriptions. */
export const defineCommand = <const Options extends readonly OptionSpec[]>(command: Command<Options>): Command =>
  command as unknown as Command;
