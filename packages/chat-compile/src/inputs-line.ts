import { inputsError, type Subject, unprintableError } from './errors.js';
import { readQuoted, readSingleQuoted } from './quoted.js';
import { scalarValue } from './typed-value.js';

/** A task and what it is given, as one line says it. `name` names the job. */
export type InputsLine = { workflow: string; task: string; inputs: Record<string, unknown>; name?: string };

type Read<T> = { value: T; end: number };

const space = /\s/;
const isEnd = (text: string, at: number): boolean => at >= text.length || space.test(text[at] as string);

const skipSpace = (text: string, start: number): number => {
  let at = start;
  while (at < text.length && space.test(text[at] as string)) at++;
  return at;
};

/** Index of the first white space at or behind `start`. */
const endOfWord = (text: string, start: number): number => {
  let at = start;
  while (!isEnd(text, at)) at++;
  return at;
};

/** A double-quoted text, or one in single quotes with nothing behind it; undefined where there is none. */
const readQuotes = (text: string, at: number, subject: Subject): Read<string> | undefined => {
  if (text[at] === '"') {
    const quoted = readQuoted(text, at);
    if (!quoted)
      throw inputsError(subject, 'a `"` that is never closed', 'quotes in pairs', 'Write `\\"` inside quotes.');
    return quoted;
  }
  const quoted = text[at] === "'" ? readSingleQuoted(text, at) : undefined;
  return quoted && (isEnd(text, quoted.end) || text[quoted.end] === ',') ? quoted : undefined;
};

/** A JSON array or object up to its last bracket; text where the brackets hold no JSON. */
const readBrackets = (text: string, start: number, key: string, subject: Subject): Read<unknown> => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') at = (readQuoted(text, at)?.end ?? text.length) - 1;
    else if (letter === '[' || letter === '{') depth++;
    else if ((letter === ']' || letter === '}') && --depth === 0) {
      const end = endOfWord(text, at + 1);
      const value = text.slice(start, end);
      try {
        return { value: JSON.parse(value), end };
      } catch {
        return { value, end };
      }
    }
  }
  throw inputsError(
    subject,
    `\`${text[start]}\` in ${key} that is never closed`,
    'brackets in pairs',
    'Put text in quotes.',
  );
};

/** One text, or a list of texts with commas between. A comma at the end adds nothing. */
const readItems = (text: string, start: number, key: string, subject: Subject): Read<unknown> => {
  const items: string[] = [];
  let isText = false;
  let at = start;
  for (;;) {
    const quoted = readQuotes(text, at, subject);
    if (quoted) {
      items.push(quoted.value);
      at = quoted.end;
      isText = true;
      if (!isEnd(text, at) && text[at] !== ',') {
        const behind = text.slice(at, endOfWord(text, at));
        throw inputsError(subject, `${JSON.stringify(behind)} right behind the quotes of ${key}`, 'a space there');
      }
    } else {
      const begin = at;
      while (!isEnd(text, at) && text[at] !== ',') at++;
      items.push(text.slice(begin, at));
    }
    if (text[at] !== ',') break;
    at++;
    if (isEnd(text, at)) return { value: items, end: at };
  }
  const [only = ''] = items;
  if (items.length > 1) return { value: items, end: at };
  return { value: isText ? only : bareValue(only), end: at };
};

/** Text without quotes: `:name` is the original's symbol, `.5` a number, the rest as everywhere. */
const bareValue = (text: string): unknown => {
  if (/^:[A-Za-z_]\w*$/.test(text)) return text.slice(1);
  return /^\.\d+$/.test(text) ? Number(text) : scalarValue(text);
};

const readValue = (text: string, at: number, key: string, subject: Subject): Read<unknown> =>
  text[at] === '[' || text[at] === '{' ? readBrackets(text, at, key, subject) : readItems(text, at, key, subject);

const bareWordError = (text: string, at: number, subject: Subject) =>
  inputsError(
    subject,
    `the bare word ${JSON.stringify(text.slice(at, endOfWord(text, at)))}`,
    '`Workflow task key=value …`',
    'Put a value with spaces in quotes, and no space around `=`.',
  );

const readKey = (text: string, start: number, subject: Subject): Read<string> & { quoted: boolean } => {
  const quoted = text[start] === '"' ? readQuoted(text, start) : undefined;
  let end = quoted?.end ?? start;
  if (!quoted) while (!isEnd(text, end) && text[end] !== '=') end++;
  if (text[end] !== '=' || end === start) throw bareWordError(text, start, subject);
  return { value: quoted?.value ?? text.slice(start, end), end: end + 1, quoted: quoted !== undefined };
};

const readName = (text: string, start: number, what: string, subject: Subject): Read<string> => {
  const quoted = text[start] === '"' ? readQuoted(text, start) : undefined;
  const end = quoted?.end ?? endOfWord(text, start);
  const value = quoted?.value ?? text.slice(start, end);
  const isName = value !== '' && isEnd(text, end) && (quoted !== undefined || !value.includes('='));
  if (!isName) throw inputsError(subject, `${JSON.stringify(value)} as the ${what}`, '`Workflow task key=value …`');
  return { value, end };
};

/**
 * Reads `Workflow task key=value key2="two words" list=[1,2] flag=true`. Quotes protect everything inside them (`\"`, `\\`, `\n` and
 * the other escapes of JSON); JSON arrays and objects may hold spaces; without quotes a value is typed, and `a,b` is a list of
 * texts. `jobname=` names the job; a key in quotes is always an input. Linear in the length of the text.
 *
 * @throws ColophonError `invalid_inputs` that names what does not fit.
 */
export const parseInputsLine = (text: string, subject?: Subject): InputsLine => {
  const workflow = readName(text, skipSpace(text, 0), 'workflow', subject);
  const task = readName(text, skipSpace(text, workflow.end), 'task', subject);
  const inputs = new Map<string, unknown>();
  let name: string | undefined;
  for (let at = skipSpace(text, task.end); at < text.length; at = skipSpace(text, at)) {
    const key = readKey(text, at, subject);
    const { value, end } = readValue(text, key.end, key.value, subject);
    at = end;
    const isName = key.value === 'jobname' && !key.quoted;
    if (isName ? name !== undefined : inputs.has(key.value))
      throw inputsError(subject, `${key.value} twice`, 'each input once');
    if (!isName) inputs.set(key.value, value);
    else if (value !== null) name = typeof value === 'string' ? value : text.slice(key.end, end);
  }
  const line = { workflow: workflow.value, task: task.value, inputs: Object.fromEntries(inputs) };
  return name === undefined ? line : { ...line, name };
};

const printName = (name: string): string => (/^[\w./:@+#-]+$/.test(name) ? name : JSON.stringify(name));
const printKey = (key: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(key) && key !== 'jobname' ? key : JSON.stringify(key);

const kindOf = (value: unknown): string => (typeof value === 'number' ? String(value) : typeof value);

const isPlain = (value: object): boolean =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Throws where JSON would lose something of a value. */
const checkJson = (value: unknown, key: string): void => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object' || !isPlain(value)) throw unprintableError(key, kindOf(value));
  for (const part of Object.values(value)) checkJson(part, key);
};

const printValue = (value: unknown, key: string): string => {
  if (typeof value === 'string')
    return /^[\w./:@%+-]+$/.test(value) && bareValue(value) === value ? value : JSON.stringify(value);
  if (Object.is(value, -0)) return '-0';
  checkJson(value, key);
  return JSON.stringify(value);
};

/**
 * Prints a line that `parseInputsLine` reads back as the same: an exact inverse for names that are not empty and inputs that JSON
 * holds. An input that is undefined is left out.
 *
 * @throws ColophonError `unprintable` for any other value.
 */
export const printInputsLine = ({ workflow, task, inputs, name }: InputsLine): string =>
  [
    printName(workflow),
    printName(task),
    ...(name === undefined ? [] : [`jobname=${printValue(name, 'jobname')}`]),
    ...Object.entries(inputs).flatMap(([key, value]) =>
      value === undefined ? [] : [`${printKey(key)}=${printValue(value, key)}`],
    ),
  ].join(' ');
