import type { ArgumentSpec, Command, CompletionKind, OptionSpec } from './command.js';
import { commandTable, groups, listedCommands } from './command-table.js';
import { globalOptions } from './global-options.js';
import { takeCommand } from './take-command.js';

/** One thing that the shell may put in, and what is said of it. */
export type Candidate = { value: string; description: string };

/** What the shell offers for the last word. With `files` it completes file names by itself, too. */
export type Offer = { candidates: Candidate[]; files: boolean };

/** Looks the values of a kind up: endpoints, chats of the library, workflows… `words` are the arguments before it. */
export type ValuesOf = (kind: CompletionKind, words: readonly string[]) => Promise<Candidate[]>;

const commandCandidates = (group: string | undefined): Candidate[] => {
  const prefix = group === undefined ? '' : `${group} `;
  const listed = listedCommands
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, summary }) => ({ value: name.slice(prefix.length).split(' ')[0]!, description: summary }));
  const all = listed.map((candidate) => ({
    ...candidate,
    description: (group === undefined && groups[candidate.value]) || candidate.description,
  }));
  return all.filter(({ value }, index) => all.findIndex((other) => other.value === value) === index);
};

const valueCandidates = async (
  spec: OptionSpec | ArgumentSpec | undefined,
  valuesOf: ValuesOf,
  words: readonly string[],
): Promise<Offer> => {
  if (spec?.choices) return { candidates: spec.choices.map((value) => ({ value, description: '' })), files: false };
  if (spec?.complete === undefined) return { candidates: [], files: false };
  const files = spec.complete === 'file' || spec.complete === 'chat' || spec.complete === 'template';
  return { candidates: await valuesOf(spec.complete, words), files };
};

const findOption = (options: readonly OptionSpec[], flag: string) =>
  options.find(({ name, short }) => flag === `--${name}` || (short !== undefined && flag === `-${short}`));

const takesNextWord = (option: OptionSpec | undefined): boolean =>
  option?.value !== undefined && option.endings === undefined;

/** The arguments that stand already: words that are values of options don't count. */
const plainWords = (options: readonly OptionSpec[], words: readonly string[]): string[] => {
  const plain: string[] = [];
  for (let index = 0; index < words.length; index++) {
    if (!words[index]!.startsWith('-')) plain.push(words[index]!);
    else if (!words[index]!.includes('=') && takesNextWord(findOption(options, words[index]!))) index++;
  }
  return plain;
};

/** The argument that the next plain word would be. */
const argumentAt = ({ arguments: specs = [] }: Command, words: readonly string[]): ArgumentSpec | undefined =>
  specs[words.length] ?? (specs.at(-1)?.many ? specs.at(-1) : undefined);

const optionCandidates = (options: readonly OptionSpec[]): Candidate[] =>
  options.map(({ name, description }) => ({ value: `--${name}`, description }));

/** What may stand where the last of the words stands; the words before it are complete. */
export const completeWords = async (words: readonly string[], valuesOf: ValuesOf): Promise<Offer> => {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { name, rest } = takeCommand(before, Object.keys(groups));
  const command = await commandTable.find((entry) => entry.name === name)?.load();
  const options: readonly OptionSpec[] = [...(command?.command.options ?? []), ...globalOptions];
  const [flag, partial] = last.startsWith('--') && last.includes('=') ? last.split('=', 2) : [undefined, last];
  const asked = findOption(options, flag ?? before.at(-1) ?? '');

  const plain = plainWords(options, rest);

  let offer: Offer;
  if (takesNextWord(asked)) offer = await valueCandidates(asked, valuesOf, plain);
  else if (last.startsWith('-')) {
    const inputs = command?.command.takesFlags ? await valuesOf('input', plain) : [];
    offer = { candidates: [...inputs, ...optionCandidates(options)], files: false };
  } else if (command) offer = await valueCandidates(argumentAt(command.command, plain), valuesOf, plain);
  else offer = { candidates: name === undefined || name in groups ? commandCandidates(name) : [], files: false };
  return { ...offer, candidates: offer.candidates.filter(({ value }) => value.startsWith(partial ?? '')) };
};
