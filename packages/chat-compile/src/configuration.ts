import type { ConfigEntry } from './context.js';
import { configError, type Subject } from './errors.js';
import { splitWords } from './quoted.js';

const toEntry = (words: string[], text: string, subject: Subject): ConfigEntry => {
  const [key, value, ...tokens] = words;
  if (key === undefined || value === undefined) throw configError(subject, text);
  return { key, value, tokens };
};

/** The entry that `key value token…` stands for. A value with white space stands in quotes. */
export const toConfigEntry = (text: string, subject?: Subject): ConfigEntry =>
  toEntry(
    splitWords(text).map(({ value }) => value),
    text,
    subject,
  );

/**
 * The entries of an `etc/config` file, one a line. `#` at the start of a word begins a comment.
 *
 * @throws ColophonError `invalid_config` with the line.
 */
export const parseConfig = (text: string, file?: string): ConfigEntry[] =>
  text.split('\n').flatMap((line, index) => {
    const words = splitWords(line);
    const comment = words.findIndex(({ value, quoted }) => !quoted && value.startsWith('#'));
    const kept = (comment < 0 ? words : words.slice(0, comment)).map(({ value }) => value);
    if (kept.length === 0) return [];
    return [toEntry(kept, line, { role: 'config', at: { ...(file ? { file } : {}), line: index + 1 } })];
  });

const priorities: Record<string, number> = { line: 1, file: 2, task: 3, workflow: 4, key: 20 };

/** Priority of a token: what stands behind `::`, else that of its kind (`task:bake`), else 10. Lower wins. */
const toToken = (text: string): { name: string; priority: number } => {
  const [, name = text, given] = /^(.*)::(-?\d+)$/s.exec(text) ?? [];
  return { name, priority: given === undefined ? (priorities[/^(\w+):/.exec(name)?.[1] ?? ''] ?? 10) : Number(given) };
};

const toValue = (
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | false | undefined => {
  if (text === 'false') return false;
  if (text === 'nil') return undefined;
  if (!text.startsWith('env:')) return text;
  const name = text
    .slice('env:'.length)
    .split(',')
    .find((name) => environment[name]);
  return name === undefined ? undefined : environment[name];
};

/**
 * What configuration says for a key in some scope. An entry counts where it has the key and one of the tokens asked for; every entry
 * also has the token `key:<key>`. The best priority wins (see `toToken`: `line: file: task: workflow:` 1 to 4, others 10,
 * `key:` 20, or `token::N`), then the token asked for first, then the latest entry; where none counts it is `fallback`. The
 * values `false` and `nil` are false and undefined, `env:A,B` is the first of these names that is set in `environment`.
 *
 * @param tokens - in order of preference
 */
export const lookUpConfig = <Fallback = undefined>(
  entries: readonly ConfigEntry[],
  key: string,
  tokens: readonly string[] = [],
  fallback?: Fallback,
  environment: Readonly<Record<string, string | undefined>> = {},
): string | false | undefined | Fallback => {
  const rank = new Map([...tokens, `key:${key}`].map((token, index) => [token, index]).reverse() as [string, number][]);
  let best: { entry: ConfigEntry; priority: number; rank: number } | undefined;
  for (const entry of entries) {
    if (entry.key !== key) continue;
    for (const token of [...entry.tokens, `key:${key}`]) {
      const { name, priority } = toToken(token);
      const place = rank.get(name);
      if (place === undefined) continue;
      if (!best || priority < best.priority || (priority === best.priority && place <= best.rank)) {
        best = { entry, priority, rank: place };
      }
    }
  }
  return best ? toValue(best.entry.value, environment) : fallback;
};
