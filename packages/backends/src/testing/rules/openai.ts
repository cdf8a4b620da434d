import { isRecord, recordsOf } from '../../shape.js';
import { isJsonObject, type Rules, unknownFields } from './rule.js';

const fields: Record<string, string[]> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'tool_calls', 'refusal', 'name', 'audio', 'reasoning_content', 'reasoning_details'],
  tool: ['role', 'content', 'tool_call_id'],
};

const callProblems = (call: Record<string, unknown>, where: string): string[] => {
  const inner = isRecord(call['function']) ? call['function'] : {};
  return [
    ...unknownFields(call, ['id', 'type', 'function'], where),
    ...(typeof call['id'] === 'string' && call['id'] !== '' && call['id'].length <= 40
      ? []
      : [`${where}: id must have 1 to 40 characters`]),
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(String(inner['name'])) ? [] : [`${where}: name ${inner['name']} is not allowed`]),
    ...(isJsonObject(inner['arguments']) ? [] : [`${where}: arguments are no JSON object`]),
  ];
};

/**
 * Rules of chat completions: tool messages answer the calls of the assistant message before them, each once and all of them.
 * Source: `ChatCompletionMessageParam` of openai 6.49.0 and the API's error messages.
 */
export const openai: Rules = (body) => {
  const problems: string[] = [];
  const messages = recordsOf(body['messages']);
  if (messages.length === 0) problems.push('messages is empty');
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    const role = String(message['role']);
    const known = fields[role];
    problems.push(...(known ? unknownFields(message, known, where) : [`${where}: role ${role} is unknown`]));
    if (role === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.delete(id)) problems.push(`${where}: tool message without a call ${id} right before it`);
      if (typeof message['content'] !== 'string') problems.push(`${where}: content of a tool message is no string`);
      continue;
    }
    if (open.size > 0) problems.push(`${where}: calls ${[...open]} have no tool message`);
    const calls = recordsOf(message['tool_calls']);
    open = new Set(calls.map((call) => String(call['id'])));
    if (open.size < calls.length) problems.push(`${where}: two calls have one id`);
    for (const [place, call] of calls.entries()) problems.push(...callProblems(call, `${where}.tool_calls.${place}`));
    const empty = message['content'] === null || message['content'] === undefined;
    if (empty && calls.length === 0) problems.push(`${where}: neither content nor calls`);
  }
  if (open.size > 0) problems.push(`calls ${[...open]} at the end have no tool message`);
  for (const tool of recordsOf(body['tools'])) {
    const inner = isRecord(tool['function']) ? tool['function'] : {};
    problems.push(...unknownFields(inner, ['name', 'description', 'parameters', 'strict'], `tool ${inner['name']}`));
    if (isRecord(inner['parameters']) && inner['parameters']['defaults'] !== undefined)
      problems.push(`tool ${inner['name']}: defaults are told`);
  }
  return problems;
};
