/** Where a message stands: its zero-based index, behind the path of its chat where one is known. */
export type Address = number | [source: string, index: number];

/** Where an entry of a receipt stands: the address of the output, `"meta"`, and the entry's index. */
export type EntryAddress =
  | [index: number, field: 'meta', entry: number]
  | [source: string, index: number, field: 'meta', entry: number];

/** Address of a message, with its source where there is one. */
export const addressOf = (index: number, source?: string): Address => (source === undefined ? index : [source, index]);

/** Address of one receipt entry in the message at `index`. */
export const entryAddressOf = (index: number, entry: number, source?: string): EntryAddress =>
  source === undefined ? [index, 'meta', entry] : [source, index, 'meta', entry];
