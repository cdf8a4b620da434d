import { isRecord, recordsOf } from '../../shape.js';
import { type Rules, unknownFields } from './rule.js';

/**
 * Rules of Ollama's chat API. Source: `ChatRequest` of ollama 0.6.4; docs.ollama.com/api/chat. The server asks less of the order
 * than this: its models' templates expect that outputs follow their calls.
 */
export const ollama: Rules = (body) => {
  const problems: string[] = [];
  const messages = recordsOf(body['messages']);
  if (messages.length === 0) problems.push('messages is empty');
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    problems.push(
      ...unknownFields(
        message,
        ['role', 'content', 'thinking', 'images', 'tool_calls', 'tool_name', 'tool_call_id'],
        where,
      ),
    );
    if (!['system', 'user', 'assistant', 'tool'].includes(String(message['role'])))
      problems.push(`${where}: role ${message['role']} is unknown`);
    if (typeof message['content'] !== 'string') problems.push(`${where}: content is no string`);
    for (const image of Array.isArray(message['images']) ? message['images'] : []) {
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(String(image).slice(0, 1000)))
        problems.push(`${where}: an image is no base64`);
    }
    if (message['role'] === 'tool') {
      if (!open.delete(String(message['tool_call_id'])))
        problems.push(`${where}: tool message without its call right before it`);
      continue;
    }
    if (open.size > 0) problems.push(`${where}: calls ${[...open]} have no tool message`);
    const calls = recordsOf(message['tool_calls']);
    open = new Set(calls.map((call) => String(call['id'])));
    for (const call of calls) {
      if (!isRecord(call['function']) || !isRecord(call['function']['arguments']))
        problems.push(`${where}: arguments are no object`);
    }
  }
  if (open.size > 0) problems.push(`calls ${[...open]} at the end have no tool message`);
  const known = [
    'model',
    'messages',
    'stream',
    'format',
    'keep_alive',
    'tools',
    'think',
    'logprobs',
    'top_logprobs',
    'options',
  ];
  return [...problems, ...unknownFields(body, known, 'request')];
};
