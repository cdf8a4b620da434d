import { unknownRelationError } from './errors.js';
import type { Relation } from './graph.js';
import { relations } from './relations/index.js';

const known = Object.keys(relations) as Relation[];

/**
 * The relations that are followed, in their own order: all where nothing or `all` is said.
 *
 * @throws ColophonError `unknown_relation` for a word that names none.
 */
export const checkFollow = (follow?: readonly string[]): Relation[] => {
  if (!follow || (follow.length === 1 && follow[0] === 'all')) return known;
  const wrong = follow.find((name) => !Object.hasOwn(relations, name));
  if (wrong !== undefined) throw unknownRelationError(wrong, known);
  return known.filter((relation) => follow.includes(relation));
};
