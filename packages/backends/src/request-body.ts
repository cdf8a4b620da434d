import { isRecord } from './shape.js';

/** `b` laid over `a`: objects are merged, anything else replaces. */
const mergeDeep = (a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> => {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    Object.defineProperty(merged, key, {
      value: isRecord(before) && isRecord(value) ? mergeDeep(before, value) : value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return merged;
};

/** Takes `extra_body` apart from the other parameters. */
export const takeExtraBody = (
  parameters: Record<string, unknown>,
): { own: Record<string, unknown>; extra: Record<string, unknown> } => {
  const { extra_body: extra, ...own } = parameters;
  return { own, extra: isRecord(extra) ? extra : {} };
};

/** Lays what came as `extra_body` over a request; its `tools` are added to those that stand there. */
export const layExtraBody = (
  body: Record<string, unknown>,
  { tools, ...extra }: Record<string, unknown>,
): Record<string, unknown> => {
  const merged = mergeDeep(body, extra);
  if (tools === undefined) return merged;
  const before = Array.isArray(merged['tools']) ? merged['tools'] : [];
  return { ...merged, tools: Array.isArray(tools) ? [...before, ...tools] : tools };
};

/**
 * Gathers parameters that name a field of one object: `reasoning`, `reasoning_effort`, `reasoning_summary` become
 * `{reasoning: {effort, summary}}`. Names in `except` stay as they are.
 */
export const gather = (
  parameters: Record<string, unknown>,
  name: string,
  except: readonly string[] = [],
): Record<string, unknown> => {
  const gathered: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parameters)) {
    if (key === name || key === `${name}_options`) Object.assign(gathered, isRecord(value) ? value : {});
    else if (key.startsWith(`${name}_`) && !except.includes(key)) gathered[key.slice(name.length + 1)] = value;
    else rest[key] = value;
  }
  return Object.keys(gathered).length > 0 ? { ...rest, [name]: gathered } : rest;
};
