import { isRecord, recordsOf } from '../../shape.js';
import { type Rules, unknownFields } from './rule.js';

type Block = Record<string, unknown>;

const fields = [
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'promptVariables',
  'additionalModelResponseFieldPaths',
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'outputConfig',
];

const blockProblems = (block: Block, role: unknown, where: string): string[] => {
  const kinds = Object.keys(block);
  const problems = kinds.length === 1 ? [] : [`${where}: a block has one kind, not ${kinds}`];
  const { text, toolUse, document } = block;
  if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) problems.push(`${where}: blank text`);
  if (isRecord(toolUse)) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolUse['toolUseId'])))
      problems.push(`${where}: id ${toolUse['toolUseId']} is not allowed`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolUse['name'])))
      problems.push(`${where}: name ${toolUse['name']} is not allowed`);
    if (!isRecord(toolUse['input'])) problems.push(`${where}: input is no object`);
  }
  if (isRecord(document) && !/^[a-zA-Z0-9 ()[\]-]{1,200}$/.test(String(document['name'])))
    problems.push(`${where}: name of a document is not allowed`);
  const foreign = role === 'user' ? ['toolUse', 'reasoningContent'] : ['toolResult', 'image', 'document'];
  return [
    ...problems,
    ...kinds.filter((kind) => foreign.includes(kind)).map((kind) => `${where}: ${kind} in a turn of ${role}`),
  ];
};

const idsOf = (message: Block | undefined, kind: string): string[] =>
  recordsOf(message?.['content']).flatMap((block) => (isRecord(block[kind]) ? [String(block[kind]['toolUseId'])] : []));

/** Rules of Converse. Source: `ConverseRequest` of @aws-sdk/client-bedrock-runtime 3.1164.0 and the API's validation messages. */
export const bedrock: Rules = (body) => {
  const messages = recordsOf(body['messages']);
  const problems = unknownFields(body, fields, 'body');
  if (messages.length === 0) problems.push('messages is empty');
  if (messages[0] && messages[0]['role'] !== 'user') problems.push('a conversation must start with a user message');
  let tools = false;
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    const blocks = recordsOf(message['content']);
    if (message['role'] === messages[index - 1]?.['role']) problems.push(`${where}: roles must alternate`);
    if (blocks.length === 0) problems.push(`${where}: content is empty`);
    problems.push(...blocks.flatMap((block, place) => blockProblems(block, message['role'], `${where}.${place}`)));
    const made = idsOf(messages[index - 1], 'toolUse');
    const answered = idsOf(message, 'toolResult');
    if (made.join() !== answered.join() && [...made].sort().join() !== [...answered].sort().join())
      problems.push(`${where}: results ${answered} for the calls ${made}`);
    tools ||= made.length > 0;
  }
  const open = idsOf(messages.at(-1), 'toolUse');
  if (open.length > 0) problems.push(`calls ${open} at the end have no result`);
  if (tools && !isRecord(body['toolConfig']))
    problems.push('toolConfig must be defined when toolUse and toolResult are used');
  return problems;
};
