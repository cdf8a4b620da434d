import { inputsError, type Subject, unprintableError } from './errors.js';
import { bareValue, endOfWord, indexOf, isEnd, type Read, readValue, skipSpace } from './input-values.js';
import { readQuoted } from './quoted.js';

/** A task and what it is given, as one line says it. `name` names the job. */
export type InputsLine = { workflow: string; task: string; inputs: Record<string, unknown>; name?: string };

const bareWordError = (text: string, at: number, subject: Subject) =>
  inputsError(
    subject,
    `the bare word ${JSON.stringify(text.slice(at, endOfWord(text, at)))}`,
    '`Workflow task key=value …`',
    'Put a value with spaces in quotes, and no space around `=`.',
  );

const readKey = (text: string, start: number, subject: Subject): Read<string> & { quoted: boolean } => {
  const quoted = text[start] === '"' ? readQuoted(text, start) : undefined;
  const end = quoted?.end ?? indexOf(/[\s=]/g, text, start);
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

/** Throws where JSON would lose something of a value, or never end. `around`: what holds it. */
const checkJson = (value: unknown, key: string, around: Set<unknown>): void => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object' || !isPlain(value)) throw unprintableError(key, kindOf(value));
  if (around.has(value)) throw unprintableError(key, 'a value that contains itself');
  around.add(value);
  for (const part of Object.values(value)) checkJson(part, key, around);
  around.delete(value);
};

const printValue = (value: unknown, key: string): string => {
  if (typeof value === 'string')
    return /^[\w./:@%+-]+$/.test(value) && bareValue(value) === value ? value : JSON.stringify(value);
  if (Object.is(value, -0)) return '-0';
  try {
    checkJson(value, key, new Set());
    return JSON.stringify(value);
  } catch (error) {
    throw error instanceof RangeError ? unprintableError(key, 'a value nested too deep') : error;
  }
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
