import { badDeclaration, missingEngine } from '../errors.js';
import type { Declaration } from './declaration.js';

/** `association: name path key=value…`: a TSV file as a database of this chat, and its query tools. */
export const association: Declaration = async ([name, path, ...words], message, sources) => {
  if (name === undefined || path === undefined)
    throw badDeclaration(message, 'expected a name and the path of a TSV file');
  const stray = words.find((word) => !word.includes('='));
  if (stray !== undefined) throw badDeclaration(message, `expected key=value behind the path, received \`${stray}\``);
  if (!sources.association) throw missingEngine(message, 'a knowledge-base engine (`association`)');
  const options = Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  return { tools: await sources.association({ name, path, options }, message) };
};
