import { exceptionOfMessage, readException } from './exception.js';
import type { JobInfo, JobWarning } from './job.js';
import { parsePartialObject } from './partial-json.js';
import { isMarshal, parseMarshal } from './ruby-marshal.js';

type Check = (value: unknown) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Check = (value) => (typeof value === 'string' ? value : undefined);
/** `:done` is how Ruby prints a symbol. */
const word: Check = (value) => (typeof value === 'string' ? value.replace(/^:(?=.)/s, '') : undefined);
const seconds: Check = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const processId: Check = (value) => (Number.isSafeInteger(value) && (value as number) > 0 ? value : undefined);
const list: Check = (value) => (Array.isArray(value) ? value : undefined);
const record: Check = (value) => (isRecord(value) ? value : undefined);
const words: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.map(word) : undefined;
const printed = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'what is nested too deep to be shown';
  }
};
const texts: Check = (value) =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : printed(one))) : undefined;
/** Paths; older ones are `[task, …, path]`. What has no path is left out. */
const paths: Check = (value) =>
  Array.isArray(value)
    ? value.map((one) => (Array.isArray(one) ? one.at(-1) : one)).filter((one) => typeof one === 'string' && one !== '')
    : undefined;

const checks: Record<string, { check: Check; expected: string }> = {
  status: { check: word, expected: 'text' },
  workflow: { check: word, expected: 'text' },
  task_name: { check: word, expected: 'text' },
  type: { check: word, expected: 'text' },
  issued: { check: text, expected: 'a time as text' },
  start: { check: text, expected: 'a time as text' },
  end: { check: text, expected: 'a time as text' },
  time_elapsed: { check: seconds, expected: 'seconds' },
  total_time_elapsed: { check: seconds, expected: 'seconds' },
  pid: { check: processId, expected: 'a process id' },
  pid_hostname: { check: text, expected: 'text' },
  inputs: { check: list, expected: 'a list' },
  input_names: { check: words, expected: 'a list of names' },
  provided_inputs: { check: record, expected: 'an object' },
  non_default_inputs: { check: words, expected: 'a list of names' },
  dependencies: { check: paths, expected: 'a list of paths' },
  messages: { check: texts, expected: 'a list of texts' },
  backtrace: { check: texts, expected: 'a list of texts' },
};

const decoder = new TextDecoder();

type Source = { found: Record<string, unknown>; trouble?: [code: string, message: string] };

const fromText = (text: string): Source => {
  const source = text.replace(/^\uFEFF/, '');
  if (source.trim() === '') return { found: {}, trouble: ['info_empty', 'It is empty'] };
  try {
    const value: unknown = JSON.parse(source);
    if (isRecord(value)) return { found: value };
    return { found: {}, trouble: ['info_shape', `It holds ${Array.isArray(value) ? 'a list' : 'no object'}`] };
  } catch {
    const found = parsePartialObject(source);
    if (!found) return { found: {}, trouble: ['info_unreadable', 'It is neither JSON nor a dump of Ruby'] };
    return { found, trouble: ['info_partial', 'It is half written: what is complete was read'] };
  }
};

const fromBytes = (bytes: Uint8Array): Source => {
  if (!isMarshal(bytes)) return fromText(decoder.decode(bytes));
  const { value, problem } = parseMarshal(bytes);
  if (!isRecord(value))
    return {
      found: {},
      trouble: ['info_unreadable', `The dump of Ruby holds no hash${problem ? `: ${problem}` : ''}`],
    };
  return problem === undefined
    ? { found: value }
    : {
        found: value,
        trouble: ['info_partial', `The dump of Ruby is damaged (${problem}): what came before was read`],
      };
};

/**
 * Reads a job's `.info`: JSON, or a dump of Ruby. Never throws and runs nothing: what is damaged is told as a warning, what is
 * there is read. `broken`: nothing of it could be. Known keys of another type are left out, with a warning; unknown keys are
 * kept. `address` is told in warnings.
 */
export const parseInfo = (
  source: string | Uint8Array,
  address = '.info',
): { info: JobInfo; warnings: JobWarning[]; broken: boolean } => {
  const { found, trouble } = typeof source === 'string' ? fromText(source) : fromBytes(source);
  const warnings: JobWarning[] = trouble ? [{ code: trouble[0], message: `${trouble[1]}.`, address }] : [];
  const warn = (key: string, problem: string): void => {
    warnings.push({ code: 'info_key', message: `${key} ${problem}.`, address: `${address}#${key}` });
  };
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(found)) {
    if (key === 'exception') {
      const exception = readException(value) ?? exceptionOfMessage((texts(found['messages']) ?? []) as string[]);
      if (exception) entries.push([key, exception]);
      if (value !== null && readException(value) === undefined)
        warn(key, `can't be read${exception ? '; the last message stands for it' : ', and is left out'}`);
      continue;
    }
    const known = Object.hasOwn(checks, key) ? checks[key]! : undefined;
    const checked = known ? known.check(value) : value;
    if (checked !== undefined) entries.push([key, checked]);
    else if (value !== null) warn(key, `is not ${known!.expected}, and is left out`);
  }
  const info = Object.fromEntries(entries) as JobInfo;
  return { info, warnings, broken: trouble !== undefined && entries.length === 0 };
};

/** Prints what a job's `.info` holds: JSON on one line. */
export const printInfo = (info: JobInfo): string => JSON.stringify(info);
