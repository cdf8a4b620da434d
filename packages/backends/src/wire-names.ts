import { createHash } from 'node:crypto';
import type { Tool } from '@colophon/tools';

/** The letters that OpenAI, Anthropic and most others take in names of tools, and Anthropic in ids of calls. */
const foreign = /[^a-zA-Z0-9_-]/g;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The beginning of a text and a hash of the whole, at most `longest` characters. */
export const withDigest = (text: string, longest: number, shown = text): string =>
  `${shown.slice(0, longest - 9)}_${digest(text)}`;

/**
 * A name or id as it may stand on the wire: itself where it has only letters, digits, `_` and `-` and at most `longest` of
 * them, else with the others made `_` and a hash of the whole behind it. Always the same for the same name.
 */
export const toWireName = (name: string, longest = 64): string => {
  const plain = name.replaceAll(foreign, '_');
  return plain === name && name !== '' && name.length <= longest ? name : withDigest(name, longest, plain);
};

/** An id cut to `longest` characters, with a hash of the whole in place of the rest. */
export const toShortId = (id: string, longest: number): string => (id.length <= longest ? id : withDigest(id, longest));

/** The name of the tool that stands on the wire under `name`; `name` itself where no tool had to be renamed to it. */
export const fromWireName = (name: string, tools: readonly Tool[] = [], longest = 64): string =>
  tools.find((tool) => tool.name !== name && toWireName(tool.name, longest) === name)?.name ?? name;
