import { recordsOf } from '../../shape.js';
import { isJsonObject, type Rules, unknownFields } from './rule.js';

/**
 * Rules of the Responses API: each call has one output behind it, each output a call before it (or in the response that is gone
 * on from). Source: `ResponseInputItem` of openai 6.49.0 and the API's error messages.
 */
export const responses: Rules = (body) => {
  const problems: string[] = [];
  const items = recordsOf(body['input']);
  if (items.length === 0 && typeof body['input'] !== 'string') problems.push('input is empty');
  const called = new Set<string>();
  const open = new Set<string>();
  for (const [index, item] of items.entries()) {
    const where = `input.${index}`;
    const id = String(item['call_id']);
    if (item['type'] === 'function_call') {
      problems.push(...unknownFields(item, ['type', 'status', 'name', 'arguments', 'call_id'], where));
      if (called.has(id)) problems.push(`${where}: two calls have the id ${id}`);
      if (id.length > 64) problems.push(`${where}: call_id is longer than 64 characters`);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(item['name'])))
        problems.push(`${where}: name ${item['name']} is not allowed`);
      if (!isJsonObject(item['arguments'])) problems.push(`${where}: arguments are no JSON object`);
      called.add(id);
      open.add(id);
    } else if (item['type'] === 'function_call_output') {
      problems.push(...unknownFields(item, ['type', 'call_id', 'output'], where));
      if (!open.delete(id) && (called.has(id) || body['previous_response_id'] === undefined))
        problems.push(`${where}: no call ${id} is open before it`);
      if (typeof item['output'] !== 'string') problems.push(`${where}: output is no string`);
    } else if (item['type'] !== 'reasoning') {
      problems.push(...unknownFields(item, ['role', 'content', 'type'], where));
      if (!['user', 'assistant', 'system', 'developer'].includes(String(item['role'])))
        problems.push(`${where}: role ${item['role']} is unknown`);
      if (item['content'] === undefined || item['content'] === null || item['content'] === '')
        problems.push(`${where}: no content`);
    }
  }
  if (open.size > 0) problems.push(`no output for the calls ${[...open]}`);
  return problems;
};
