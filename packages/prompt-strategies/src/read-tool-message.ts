import type { Message } from '@colophon/chat-format';
import { printJson } from './print-json.js';
import type { StrategyContext } from './strategy.js';

/** What pairing and repeats need of a call. `key` and `shortened` are filled in where they were asked for. */
export type CallReading = {
  id: string | undefined;
  name: string;
  arguments: unknown;
  key?: string;
  shortened?: Message;
};

/** What they need of an output. */
export type OutputReading = { id: string | undefined; name?: undefined; shortened?: Message };

/** Null where the content can't be read. */
export type ToolReading = CallReading | OutputReading | null;

/** Whether a message is a call, by a function or over MCP. */
export const isCall = ({ role }: Message): boolean => role === 'function_call' || role === 'mcp_call';

/** Whether a message is the output of a call. */
export const isOutput = ({ role }: Message): boolean => role === 'function_call_output';

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const idOf = (fields: Fields): string | undefined =>
  textOf(fields['id']) ?? textOf(fields['call_id']) ?? textOf(fields['tool_call_id']);

const argumentsOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? {};
  const parsed = parse(value);
  return parsed === undefined ? value : parsed;
};

/**
 * By the rules of `parseCall` and `parseOutput`, whose results hold more: every message of a prompt passes here, and to build
 * them would take several times as long as to parse the JSON.
 */
const read = (message: Message): ToolReading => {
  const fields = parse(message.content);
  if (!isRecord(fields)) return null;
  if (isOutput(message)) return { id: idOf(fields) };
  const inner = isRecord(fields['function']) ? fields['function'] : fields;
  const name = textOf(fields['name']) ?? textOf(inner['name']);
  if (name === undefined) return null;
  return { id: idOf(fields), name, arguments: argumentsOf(fields['arguments'] ?? inner['arguments']) };
};

/** What calls of one name with the same arguments share: keys sorted at every depth, the id left out. */
export const callKey = (call: CallReading): string => {
  call.key ??= `${call.name}\n${printJson(call.arguments, { sortKeys: true })}`;
  return call.key;
};

/** Reads a call or an output, once for each message where the context carries `readings`. */
export const readToolMessage = (message: Message, { readings }: StrategyContext): ToolReading => {
  if (!readings) return read(message);
  const known = readings.get(message);
  if (known !== undefined) return known;
  const reading = read(message);
  readings.set(message, reading);
  return reading;
};
