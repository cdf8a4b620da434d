import { isRecord, recordsOf } from '../../shape.js';
import { type Rules, unknownFields } from './rule.js';

type Block = Record<string, unknown>;

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';

const blockProblems = (block: Block, role: unknown, where: string): string[] => {
  const type = String(block['type']);
  const cached = type === 'thinking' || type === 'redacted_thinking' ? [] : ['cache_control'];
  const fields: Record<string, string[]> = {
    text: ['type', 'text'],
    image: ['type', 'source'],
    document: ['type', 'source', 'title'],
    tool_use: ['type', 'id', 'name', 'input'],
    tool_result: ['type', 'tool_use_id', 'content', 'is_error'],
    thinking: ['type', 'thinking', 'signature'],
    redacted_thinking: ['type', 'data'],
  };
  const problems = fields[type] ? unknownFields(block, [...fields[type], ...cached], where) : [];
  if (type === 'text' && isBlank(block['text'])) problems.push(`${where}: blank text`);
  if (type === 'tool_use') {
    if (!/^[a-zA-Z0-9_-]+$/.test(String(block['id']))) problems.push(`${where}: id ${block['id']} is not allowed`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(block['name'])))
      problems.push(`${where}: name ${block['name']} is not allowed`);
    if (!isRecord(block['input'])) problems.push(`${where}: input is no object`);
  }
  const own = { user: ['image', 'document', 'tool_result'], assistant: ['tool_use', 'thinking', 'redacted_thinking'] };
  if (role === 'user' && own.assistant.includes(type)) problems.push(`${where}: ${type} in a user turn`);
  if (role === 'assistant' && own.user.includes(type)) problems.push(`${where}: ${type} in an assistant turn`);
  return problems;
};

/** Results stand first in the turn right behind their calls, one for each. */
const pairProblems = (before: Block[], after: Block[], where: string): string[] => {
  const open = new Set(before.filter((block) => block['type'] === 'tool_use').map((block) => String(block['id'])));
  const problems: string[] = [];
  let other = false;
  for (const block of after) {
    if (block['type'] !== 'tool_result') other = true;
    else if (other) problems.push(`${where}: tool_result behind other content`);
    else if (!open.delete(String(block['tool_use_id'])))
      problems.push(`${where}: tool_result ${block['tool_use_id']} without its tool_use right before it`);
  }
  if (open.size > 0) problems.push(`${where}: tool_use ${[...open]} without tool_result right behind it`);
  return problems;
};

const marksIn = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + marksIn(item), 0);
  return isRecord(value) ? (isRecord(value['cache_control']) ? 1 : 0) : 0;
};

const thinkingProblems = (body: Record<string, unknown>, turns: Block[][]): string[] => {
  const thinking = isRecord(body['thinking']) ? body['thinking'] : {};
  const problems: string[] = [];
  if (thinking['type'] === 'enabled') {
    const budget = Number(thinking['budget_tokens']);
    if (!(budget >= 1024 && budget < Number(body['max_tokens'])))
      problems.push('thinking.budget_tokens must be at least 1024 and less than max_tokens');
    const inLoop = turns.at(-1)?.some((block) => block['type'] === 'tool_result');
    if (inLoop && !/thinking$/.test(String(turns.at(-2)?.[0]?.['type'])))
      problems.push('the turn of the open tool loop does not begin with thinking');
    if (isRecord(body['tool_choice']) && ['any', 'tool'].includes(String(body['tool_choice']['type'])))
      problems.push('a forced tool together with thinking');
  }
  return problems;
};

/**
 * Rules of the Messages API. Source: platform.claude.com/docs/en/api/messages, …/build-with-claude/thinking and the API's error
 * messages; stricter than the API in one thing: turns must alternate, where it would merge them.
 */
export const anthropic: Rules = (body) => {
  const problems: string[] = [];
  const messages = recordsOf(body['messages']);
  const turns = messages.map((message) =>
    typeof message['content'] === 'string'
      ? [{ type: 'text', text: message['content'] }]
      : recordsOf(message['content']),
  );
  if (messages[0]?.['role'] !== 'user') problems.push("the first message is not the user's");
  if (!(Number(body['max_tokens']) > 0)) problems.push('max_tokens is missing');
  const used = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    const content = turns[index] ?? [];
    if (!['user', 'assistant'].includes(String(message['role'])))
      problems.push(`${where}: role ${message['role']} is unknown`);
    if (index > 0 && messages[index - 1]?.['role'] === message['role'])
      problems.push(`${where}: two turns of one role`);
    if (content.length === 0) problems.push(`${where}: no content`);
    for (const [place, block] of content.entries()) {
      problems.push(...blockProblems(block, message['role'], `${where}.content.${place}`));
    }
    for (const block of content) {
      if (block['type'] !== 'tool_use') continue;
      if (used.has(String(block['id']))) problems.push(`${where}: two tool_use have the id ${block['id']}`);
      used.add(String(block['id']));
    }
    problems.push(...pairProblems(turns[index - 1] ?? [], content, where));
  }
  if (messages.at(-1)?.['role'] === 'assistant') {
    const last = turns.at(-1) ?? [];
    if (last.some((block) => block['type'] === 'tool_use')) problems.push('tool_use at the end without tool_result');
    const end: unknown = last.at(-1)?.['text'];
    if (typeof end === 'string' && end !== end.trimEnd()) problems.push('the final assistant turn ends in white space');
  }
  for (const block of recordsOf(body['system'])) if (isBlank(block['text'])) problems.push('blank system text');
  const marks = marksIn(body['system']) + marksIn(body['tools']) + turns.reduce((sum, turn) => sum + marksIn(turn), 0);
  if (marks > 4) problems.push(`${marks} cache marks; at most 4 are allowed`);
  const names = recordsOf(body['tools']).map((tool) => String(tool['name']));
  if (new Set(names).size < names.length) problems.push('two tools have one name');
  return [...problems, ...thinkingProblems(body, turns)];
};
