// biome-ignore lint/suspicious/noExplicitAny: vectors are JSON of any shape, and only the matcher says whether it is right.
export type Json = any;

/** A fact about the library: what an operation makes of an input. */
export type Vector = {
  id: string;
  about?: string;
  /** `op` names the operation; the other keys are its input. */
  input: { op: string; [key: string]: Json };
  /** A pattern of `match.mjs`. */
  expect: unknown;
  /** Folder whose files are laid below the root before the operation runs. */
  tree?: string;
};

/** Where an operation works: an absolute real path, a temporary directory, with the files of the input in it. */
export type Place = { root: string };

/** Maps an input onto the packages' public functions, and what they return onto a result with snake_case keys. */
export type Operation = (input: Json, place: Place) => unknown;

/** What became of a vector. */
export type Outcome = { kind: 'passed' } | { kind: 'failed'; mismatches: string[] };
