/** How a result is kept in a file: its extension (with dot, or empty), value to bytes and back, and what fits the type. */
export type ResultType = {
  extension: string;
  /** What is wrong with a value of this type, in a few words; undefined where it fits. */
  problem: (value: unknown) => string | undefined;
  print: (value: unknown) => string | Uint8Array;
  read: (bytes: Uint8Array) => unknown;
};

/** Result types by name. Extend by spreading. */
export type ResultTypes = Record<string, ResultType>;
