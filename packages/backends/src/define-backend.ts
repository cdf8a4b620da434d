import type { Backend } from './backend.js';
import { invalidBackend } from './errors.js';

const isFunction = (value: unknown): boolean => typeof value === 'function';

const problemOf = (backend: Record<string, unknown>): string | undefined => {
  if (typeof backend['name'] !== 'string' || !/^[A-Za-z][\w.@/-]*$/.test(backend['name'])) {
    return '`name` must be a string that begins with a letter';
  }
  const { capabilities, parameters } = backend;
  if (capabilities !== undefined && (typeof capabilities !== 'object' || capabilities === null)) {
    return '`capabilities` must be an object, such as {tools: true}';
  }
  if (
    parameters !== undefined &&
    !(Array.isArray(parameters) && parameters.every((name) => typeof name === 'string'))
  ) {
    return '`parameters` must be a list of names';
  }
  if (isFunction(backend['reply'])) return undefined;
  const missing = ['toRequest', 'send', 'fromReply'].filter((part) => !isFunction(backend[part]));
  if (missing.length === 3) return 'it has neither `reply` nor `toRequest`, `send` and `fromReply`';
  if (missing.length > 0) return `${missing.map((part) => `\`${part}\``).join(' and ')} must be a function`;
  return capabilities === undefined ? '`capabilities` is missing' : undefined;
};

/** Checks the shape of a backend and returns it; throws `invalid_backend` that names the part that is missing or wrong. */
export const defineBackend = <B extends Backend>(backend: B): B => {
  if (typeof backend !== 'object' || backend === null) throw invalidBackend(typeof backend, 'expected an object');
  const problem = problemOf(backend as Record<string, unknown>);
  if (problem !== undefined)
    throw invalidBackend(String((backend as { name?: unknown }).name ?? 'without a name'), problem);
  return backend;
};
