import { frozenChatError } from './errors.js';
import type { Message } from './message.js';

/** Names of the verbs on an array. A registered symbol, so that two copies of this package see the same. */
const verbNames = Symbol.for('colophon.verbs');

type Annotated = { [verbNames]?: Set<string> };

/**
 * Puts functions on that very array, as properties that enumeration, JSON, spread, cloning and equality do not see. Verbs of an
 * earlier call stay, unless they are named again.
 *
 * @throws ColophonError `frozen_chat` for an array that takes no properties.
 */
export const annotate = <C extends readonly Message[], Verbs extends object>(array: C, verbs: Verbs): C & Verbs => {
  if (!Object.isExtensible(array)) throw frozenChatError();
  const names = (array as Annotated)[verbNames] ?? new Set<string>();
  const hide = (key: string | symbol, value: unknown) =>
    Object.defineProperty(array, key, { value, enumerable: false, configurable: true, writable: true });
  for (const [name, verb] of Object.entries(verbs)) {
    hide(name, verb);
    names.add(name);
  }
  hide(verbNames, names);
  return array as C & Verbs;
};

/** Takes all verbs off an array again, whoever put them there; what is left is the same array, plain. */
export const unannotate = (array: Message[]): Message[] => {
  for (const name of (array as Annotated)[verbNames] ?? []) Reflect.deleteProperty(array, name);
  Reflect.deleteProperty(array, verbNames);
  return array;
};
