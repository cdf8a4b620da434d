import { type Message, parseCall, parseOutput } from '@colophon/chat-format';
import { printJson } from './print-json.js';
import type { StrategyContext } from './strategy.js';

/**
 * What pairing and repeats need of a tool message: its id, and for a call the key that two calls of one name with the same
 * arguments share. Null where the content can't be read.
 */
export type ToolReading = { id?: string; key?: string; shortened?: Message } | null;

/** Whether a message is a call, by a function or over MCP. */
export const isCall = (message: Message): boolean => message.role === 'function_call' || message.role === 'mcp_call';

/** Whether a message is the output of a call. */
export const isOutput = (message: Message): boolean => message.role === 'function_call_output';

const read = (message: Message): ToolReading => {
  if (isOutput(message)) {
    const output = parseOutput(message.content);
    return output ? (output.id === undefined ? {} : { id: output.id }) : null;
  }
  const call = parseCall(message.content);
  if (!call) return null;
  const key = `${JSON.stringify(call.name)}${printJson(call.arguments, { sortKeys: true })}`;
  return call.id === undefined ? { key } : { id: call.id, key };
};

/** Reads a call or an output, once for each message where the context carries `readings`. */
export const readToolMessage = (message: Message, { readings }: StrategyContext): ToolReading => {
  const known = readings?.get(message);
  if (known !== undefined) return known;
  const reading = read(message);
  readings?.set(message, reading);
  return reading;
};
