/** Variables that programs need to find things and to speak a language. None holds a credential. */
const plain = new Set('PATH HOME USER LOGNAME SHELL TMPDIR TZ LANG LANGUAGE TERM NO_COLOR'.split(' '));

/**
 * What of an environment command tasks get: where programs, the home and temporary files are, language and time zone (`PATH HOME USER
 * LOGNAME SHELL TMPDIR TZ LANG LANGUAGE LC_* TERM NO_COLOR`). Nothing else is passed on, as any of it may be a key; `also` names
 * variables that are to be passed all the same.
 */
export const commandEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  also: readonly string[] = [],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (plain.has(entry[0]) || entry[0].startsWith('LC_') || also.includes(entry[0])),
    ),
  );
