/** Gives equal texts one copy to share. */
export type Intern = (text: string) => string;

// A text that was cut out of a file keeps all of that file in memory as long as it lives. Joining copies; cutting what was joined
// refers to the copy.
const detached = (text: string): string => ` ${text}`.slice(1);

/**
 * Copies of one record stand in logs, results and receipts: their ids and times are kept once. No text that this gives refers to the
 * file that it came from.
 */
export const createIntern = (): { intern: Intern; forget: () => void } => {
  const known = new Map<string, string>();
  const intern = (text: string): string => {
    const same = known.get(text);
    if (same !== undefined) return same;
    const own = detached(text);
    known.set(own, own);
    return own;
  };
  return { intern, forget: () => known.clear() };
};
