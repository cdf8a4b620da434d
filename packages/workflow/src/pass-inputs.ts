import { commandDefinitionError, commandInputError } from './command-errors.js';
import type { CommandLine, Inputs } from './workflow.js';

/** What a program is called with: words, variables, and bytes for its standard input. */
export type PassedInputs = {
  program: string;
  words: string[];
  variables: Record<string, string>;
  stdin?: string | Uint8Array;
};

/** Variables that steer how programs are found and loaded: an input of such a name must not replace them. */
const steering =
  /^(PATH|HOME|SHELL|IFS|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|PS4|TMPDIR|NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|PYTHON(PATH|HOME|STARTUP)|PERL5(LIB|OPT)|RUBY(LIB|OPT))$/;

const isText = (value: unknown): value is string => typeof value === 'string';

/** A value as text: text as it is, numbers and booleans as they are written, all else as JSON. */
const toText = (name: string, value: unknown): string => {
  if (value instanceof Uint8Array)
    throw commandInputError(name, 'is bytes, which only standard input takes: say passing: "stdin"');
  const text = isText(value)
    ? value
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : JSON.stringify(value);
  if (text === undefined) throw commandInputError(name, `is a ${typeof value}, which can't be written as text`);
  if (text.includes('\0')) throw commandInputError(name, 'has a NUL character, which only standard input takes');
  return text;
};

// A value that begins with "-" is one word with its flag, so that no program takes it for a flag of its own.
const flagWords = (name: string, value: unknown): string[] => {
  const text = toText(name, value);
  return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
};

const toFlags = (name: string, value: unknown): string[] => {
  if (!/^[A-Za-z0-9_][\w.-]*$/.test(name))
    throw commandInputError(name, 'has a name that makes no flag: expected letters, digits, "_", "-", "."');
  if (value === true) return [`--${name}`];
  if (value === false) return [];
  return Array.isArray(value) ? value.flatMap((part) => flagWords(name, part)) : flagWords(name, value);
};

const variableOf = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9_]/g, '_');

const addVariable = (variables: Record<string, string>, name: string, value: unknown): void => {
  const variable = variableOf(name);
  if (steering.test(variable) || /^\d/.test(variable))
    throw commandInputError(
      name,
      `can't be passed as the variable ${variable}, which has a meaning of its own: say passing: "flag"`,
    );
  if (Object.hasOwn(variables, variable))
    throw commandInputError(name, `and another one would both be the variable ${variable}`);
  variables[variable] = toText(name, value);
};

/**
 * Where each input of a command task goes. As a flag: `--name value`; `true` is the flag alone, `false` is left out; of a list each
 * element is a flag; a value that begins with `-` is `--name=value`. As a variable: the name in upper case, other signs than letters and
 * digits as `_`. On standard input: text and bytes as they are. Numbers and booleans are written as
 * they are, lists (but for flags) and objects are
 * JSON. What is undefined or null is left out. A script gets each input that `passing` does not name as flag and as variable.
 */
export const passInputs = ({ argv, script, passing = {} }: CommandLine, inputs: Inputs): PassedInputs => {
  if ((argv === undefined) === (script === undefined))
    throw commandDefinitionError('A command needs either argv or script');
  const [program, ...words] = script === undefined ? argv! : ['sh', '-c', script, 'sh'];
  if (!program || ![program, ...words].every((word) => isText(word) && !word.includes('\0')))
    throw commandDefinitionError('argv needs a program and words of text without NUL characters');
  const variables: Record<string, string> = {};
  const stdin: [string, unknown][] = [];
  for (const [name, value] of Object.entries(inputs)) {
    if (value === undefined || value === null) continue;
    const way = Object.hasOwn(passing, name) ? passing[name] : undefined;
    if (way === 'stdin') stdin.push([name, value]);
    else {
      if (way !== 'environment') words.push(...toFlags(name, value));
      if (way === 'environment' || (way === undefined && script !== undefined)) addVariable(variables, name, value);
    }
  }
  if (stdin.length > 1)
    throw commandDefinitionError(`One input can be standard input, not ${stdin.map(([name]) => name).join(' and ')}`);
  const [piped] = stdin;
  if (!piped) return { program, words, variables };
  const [name, value] = piped;
  const raw = value instanceof Uint8Array || isText(value);
  return { program, words, variables, stdin: raw ? value : toText(name, value) };
};
