import { type Message, pairToolCalls, roles } from '@colophon/chat-format';
import { outputMessage, toNamedCall } from './envelope.js';
import { failure } from './outcome.js';
import { indexTools } from './registry.js';
import type { Call, Tool } from './tool.js';

const conversation = (role: string): boolean => {
  const facts = roles[role];
  return (
    facts === undefined || (facts.visible && !['function_call', 'function_call_output', 'mcp_call'].includes(role))
  );
};

/**
 * The calls at the end of a chat that have no output: what a killed run left. Calls that a later turn left behind are not
 * among them. Linear.
 */
export const pendingCalls = (chat: readonly Message[]): Call[] => {
  const end = chat.findLastIndex(({ role }) => conversation(role)) + 1;
  return pairToolCalls(chat)
    .filter(({ callAddress, outputAddress }) => outputAddress === null && Number(callAddress) >= end)
    .map((pair) => ({
      ...(pair.callId === null ? {} : { id: pair.callId }),
      name: pair.name,
      arguments: pair.arguments,
    }));
};

/**
 * Decides what becomes of interrupted calls: `run` holds those whose tool says that it is idempotent, `interrupted` the
 * outputs (error `missing`) that tell the model of the others. Record these first, then run. Calls that share an id are
 * decided together, since readers pair them in order.
 */
export const resumeCalls = (
  calls: readonly Call[],
  registry: readonly Tool[],
  context: { now: () => Date },
): { run: Call[]; interrupted: Message[] } => {
  const tools = indexTools(registry);
  const named = calls.map((call, index) => ({ call, named: toNamedCall(call, index) }));
  const once = new Set(
    named.filter(({ named }) => tools.get(named.name)?.idempotent !== true).map(({ named }) => named.id),
  );
  const time = context.now().toISOString();
  const interrupted = named
    .filter(({ named }) => once.has(named.id))
    .map(({ named }) => {
      const message =
        'The call was interrupted: the program ended before its result was recorded. It may have run, in part or whole; it was not run again.';
      return outputMessage(named, failure('missing', message), { start: time, end: time });
    });
  return { run: named.filter(({ named }) => !once.has(named.id)).map(({ call }) => call), interrupted };
};
