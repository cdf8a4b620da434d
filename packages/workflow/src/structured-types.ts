import { parse, stringify } from 'yaml';
import { findNotPlain, isSame } from './plain-value.js';
import { badResultError } from './result-errors.js';
import type { ResultType } from './result-types.js';
import { toText } from './to-text.js';

const plainProblem = (value: unknown): string | undefined => {
  const found = findNotPlain(value);
  return found && `JSON can't hold ${found.found}${found.path && ` at ${found.path}`}; make it text or a number`;
};

/** JSON on one line. */
export const json: ResultType = {
  extension: '.json',
  problem: plainProblem,
  print: (value) => JSON.stringify(value),
  read: (bytes) => {
    try {
      return JSON.parse(toText(bytes).replace(/^\uFEFF/, ''));
    } catch (cause) {
      throw badResultError('json', (cause as Error).message, cause);
    }
  },
};

const readYaml = (source: string): unknown => {
  try {
    return parse(source, { logLevel: 'error' });
  } catch (cause) {
    throw badResultError('yaml', (cause as Error).message, cause);
  }
};

const keepsValue = (printed: string, value: unknown): boolean => {
  try {
    return !/\p{Cs}/u.test(printed) && isSame(parse(printed, { logLevel: 'error' }), value);
  } catch {
    return false;
  }
};

/** YAML as people write it, or JSON where that would not be read back as it was. */
export const yaml: ResultType = {
  extension: '.yaml',
  problem: plainProblem,
  print: (value) => {
    // Blocks and folded lines do not keep all texts, nor do plain words with a BOM or half a surrogate pair; JSON does, and is YAML.
    const printed = stringify(value, { aliasDuplicateObjects: false, blockQuote: false, lineWidth: 0 });
    return keepsValue(printed, value) ? printed : `${JSON.stringify(value)}\n`;
  },
  read: (bytes) => readYaml(toText(bytes)),
};
