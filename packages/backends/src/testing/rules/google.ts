import { isRecord, recordsOf } from '../../shape.js';
import { type Rules, unknownFields } from './rule.js';

type Part = Record<string, unknown>;

const fields = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'serviceTier',
];

const namesOf = (content: Part | undefined, kind: string): string[] =>
  recordsOf(content?.['parts']).flatMap((part) => (isRecord(part[kind]) ? [String(part[kind]['name'])] : []));

const partProblems = (part: Part, where: string): string[] => {
  const { functionCall: call, functionResponse: response, text } = part;
  const problems = text === undefined || typeof text === 'string' ? [] : [`${where}: text is no string`];
  if (isRecord(call)) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(String(call['name'])))
      problems.push(`${where}: name ${call['name']} is not allowed`);
    if (!isRecord(call['args'])) problems.push(`${where}: args are no object`);
  }
  if (isRecord(response) && !isRecord(response['response'])) problems.push(`${where}: response is no object`);
  return problems;
};

/** Rules of the Gemini API: as many responses as calls, right behind them, of the same names. Source: ai.google.dev/gemini-api/docs/function-calling. */
export const google: Rules = (body) => {
  const contents = recordsOf(body['contents']);
  const problems = unknownFields(body, fields, 'body');
  if (contents.length === 0) problems.push('contents is empty');
  for (const [index, content] of contents.entries()) {
    const where = `contents.${index}`;
    const parts = recordsOf(content['parts']);
    if (content['role'] !== 'user' && content['role'] !== 'model')
      problems.push(`${where}: role ${content['role']} is not allowed`);
    if (parts.length === 0) problems.push(`${where}: parts is empty`);
    problems.push(...parts.flatMap((part, place) => partProblems(part, `${where}.${place}`)));
    const called = namesOf(contents[index - 1], 'functionCall');
    const answered = namesOf(content, 'functionResponse');
    if (called.join() !== answered.join()) problems.push(`${where}: responses ${answered} for the calls ${called}`);
  }
  const open = namesOf(contents.at(-1), 'functionCall');
  if (open.length > 0) problems.push(`calls ${open} at the end have no response`);
  return problems;
};
