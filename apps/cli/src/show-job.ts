import type { JobRecord } from '@colophon/workflow';

/** The state of a job in a word: `running` where its process lives, else what is recorded. */
export const jobState = ({ running, status, done }: JobRecord): string =>
  running ? 'running' : status === 'done' && !done ? 'no result' : status;

/** Milliseconds as a person says them: `3 s`, `12 min`, `5 h`, `9 d`. */
export const printSpan = (milliseconds: number): string => {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 36 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
};

/** When a job ended, began or was made, whichever is the last that is known. */
export const jobTime = ({ info: { end, start, issued } }: JobRecord): number | undefined => {
  const time = Date.parse((end ?? start ?? issued ?? '').replace(/^(\S+) (\S+) ([+-]\d\d)(\d\d)$/, '$1T$2$3:$4'));
  return Number.isNaN(time) ? undefined : time;
};

const oneLine = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
};

/** The inputs that make a job what it is, as `name=value` words. */
export const printInputs = ({ info, inputs }: JobRecord): string =>
  Object.entries(info.provided_inputs ?? inputs)
    .map(([name, value]) => `${name}=${oneLine(value)}`)
    .join(' ');
