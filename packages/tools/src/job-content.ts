import type { Job, ResultTypes, StoredException } from '@colophon/workflow';

/** A stored exception as an error again, with its causes. */
export const toError = ({ name, message, code, cause }: StoredException): Error & { code?: string } => {
  const error = new Error(message || name, cause === undefined ? undefined : { cause: toError(cause) });
  return Object.assign(error, { name }, code === undefined ? {} : { code });
};

const printed = (value: unknown, type: string, types: ResultTypes): unknown => {
  if (typeof value === 'string') return value;
  const text = types[type]?.print(value);
  return typeof text === 'string' ? text.trim() : text;
};

/** Types whose text in the file says more to a model than JSON of the value. */
const asText = new Set(['tsv', 'chat']);

/** A job's result as what a model sees: tables and chats as text, other values as they are. */
export const jobContent = async (job: Job, types: ResultTypes): Promise<unknown> => {
  const value = await job.load();
  return asText.has(job.type) ? printed(value, job.type, types) : value;
};
