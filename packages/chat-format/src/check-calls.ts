import type { Problem } from './check-chat.js';
import { parseChat } from './parse-chat.js';
import { pairToolCalls } from './tool-calls.js';

/** Looks for calls and outputs that don't belong together. `text` is a chat file's. */
export const checkCalls = (text: string): Problem[] => {
  const chat = parseChat(text, { file: '' });
  const pairs = pairToolCalls(chat);
  const lineOf = (index: number) => chat[index]?.at?.line ?? 1;
  const problems: Problem[] = [];
  const first = new Map<string, number>();
  const paired = new Set<number>();

  for (const { callId, name, role, callAddress, outputAddress } of pairs) {
    const index = callAddress as number;
    const line = lineOf(index);
    paired.add(index);
    if (outputAddress !== null) paired.add(outputAddress as number);
    // What a provider called by itself (mcp_call) may have left its output there.
    else if (role === 'function_call') {
      problems.push({
        code: 'call_without_output',
        message: `the call of ${JSON.stringify(name)} has no output`,
        line,
      });
    }
    if (callId === null) continue;
    const before = first.get(callId);
    if (before === undefined) first.set(callId, line);
    else {
      const message = `the call id ${JSON.stringify(callId)} was used at ${before} already: outputs go to calls in their order`;
      problems.push({ code: 'repeated_call_id', message, line });
    }
  }
  for (const [index, { role }] of chat.entries()) {
    if (paired.has(index)) continue;
    const line = lineOf(index);
    if (role === 'function_call' || role === 'mcp_call') {
      problems.push({ code: 'unreadable_call', message: 'this is no call: expected JSON with a `name`', line });
    } else if (role === 'function_call_output') {
      problems.push({
        code: 'output_without_call',
        message: 'no call before this output has its `id` and waits for one',
        line,
      });
    }
  }
  return problems;
};
