/// <reference lib="es2024.string" />
import { readInfo } from './read-info.js';

/** What is known of the request behind a job, by name: JSON, without credentials. */
export type RequestContext = Record<string, unknown>;

/** How it stands in an `.info`. */
export type StoredRequestContext = { version: 1; fields: RequestContext };

const letters = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

// State of a conversation, and whatever may act: none of it describes a request.
const state = new Set(
  [
    ...[
      'agent',
      'agents',
      'client',
      'clients',
      'tool',
      'tools',
      'messages',
      'chat',
      'conversation',
      'state',
      'proc',
      'key',
    ],
    ...['keys', 'mutable_state', 'previous_response', 'previous_response_id', 'headers', 'cookie', 'cookies'],
  ].map(letters),
);

const secrets =
  /credential|passw|secret|apikey|accesstoken|authtoken|authorization|privatekey|token$|key(?:env|command)$/;

const isKept = (key: string): boolean => !state.has(letters(key)) && !secrets.test(letters(key));

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

const deepest = 16;

// Undefined for what JSON can't hold, or what is nested deeper than a description is.
const project = (value: unknown, depth: number): unknown => {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.toWellFormed();
  // JSON has no -0.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((one) => project(one, depth + 1)).filter((one) => one !== undefined);
  return isPlainObject(value) ? fieldsOf(value, depth + 1) : undefined;
};

const fieldsOf = (fields: Record<string, unknown>, depth: number): RequestContext =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const kept = isKept(key) ? project(value, depth) : undefined;
      return kept === undefined ? [] : [[key.toWellFormed(), kept]];
    }),
  );

/**
 * What of a request's description may be kept with a job: texts, finite numbers, truth values, lists and objects; without what is
 * state of a conversation, and without every key that may be a credential's, at any depth.
 */
export const toRequestContext = (fields: Record<string, unknown>): RequestContext => fieldsOf(fields, 0);

/** The fields in an `.info`; those of a version that is not known are not read. A record without version is one of fields. */
export const storedFields = (stored: unknown): RequestContext | undefined => {
  if (!isPlainObject(stored)) return undefined;
  const { version, fields } = stored;
  if (version === undefined) return stored;
  return version === 1 && isPlainObject(fields) ? fields : undefined;
};

/** What an `.info` is to say of the request behind a job: what the first one said that wrote it, else this. */
export const keptRequestContext = async (
  path: string,
  given: RequestContext | undefined,
): Promise<{ request_context?: StoredRequestContext }> => {
  const first = storedFields((await readInfo(path)).info['request_context']);
  const fields = first ?? (given && toRequestContext(given));
  return fields && Object.keys(fields).length > 0 ? { request_context: { version: 1, fields } } : {};
};
