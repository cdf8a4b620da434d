import { type Chat, parseCall } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import { answerTool, toFormatParts } from '../anthropic/output-format.js';
import type { RequestOptions } from '../backend.js';
import { nothingToAsk } from '../errors.js';
import { layExtraBody, takeExtraBody } from '../request-body.js';
import { toTurns } from '../turns.js';
import { toWireName } from '../wire-names.js';
import { toParameters } from './parameters.js';
import { type Block, type Formatted, toMessages } from './to-messages.js';

const toSpec = (name: string, description: string | undefined, json: unknown): Block => ({
  toolSpec: { name: toWireName(name), ...(description ? { description } : {}), inputSchema: { json } },
});

/** Calls that stand in the chat want tools declared, also where none is offered any more. */
const declaredOf = (chat: Chat, tools: readonly Tool[]): Block[] => {
  if (tools.length > 0)
    return tools.map((tool) => {
      const { name, description, parameters } = toolDefinition(tool);
      return toSpec(name, description, parameters);
    });
  const called = chat.flatMap(({ role, content }) =>
    role === 'function_call' || role === 'mcp_call' ? [parseCall(content)?.name] : [],
  );
  return [...new Set(called)].flatMap((name) =>
    name === undefined ? [] : [toSpec(name, undefined, { type: 'object' })],
  );
};

const cachePoint = { cachePoint: { type: 'default' } };

/** Models that take cache points; docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html. */
const caches = (model: string): boolean => /claude|nova/i.test(model);

/** Sets a point behind the system text, and behind the last blocks before the latest boundaries: four at most. */
const setCachePoints = ({ system, placed }: Formatted, boundaries: readonly number[]): void => {
  if (boundaries.length === 0) return;
  let left = 4;
  if (system.length > 0) {
    system.push(cachePoint);
    left--;
  }
  const marked = new Set<Block>();
  for (const boundary of [...new Set(boundaries)].sort((a, b) => b - a)) {
    if (marked.size >= left) return;
    const found = placed.findLast(({ index, block }) => index < boundary && !block['reasoningContent']);
    if (!found || marked.has(found.block)) continue;
    found.content.splice(found.content.indexOf(found.block) + 1, 0, cachePoint);
    marked.add(found.block);
  }
};

/** Anthropic's models have structured output here too; any other answers through a tool. */
const toFormat = (format: RequestOptions['format'], model: string) =>
  toFormatParts(format, /anthropic\.|claude/.test(model) ? model : 'claude-2');

/**
 * A chat as a request of Converse, with bytes in base64. Source: `ConverseRequest` of @aws-sdk/client-bedrock-runtime 3.1164.0;
 * docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html.
 */
export const toRequest = async (
  chat: Chat,
  tools: readonly Tool[],
  options: RequestOptions,
): Promise<Record<string, unknown>> => {
  const { own, extra } = takeExtraBody(options.parameters);
  const formatted = await toMessages(toTurns(chat), options.readBytes);
  if (formatted.messages.length === 0) throw nothingToAsk('The chat');
  const format = toFormat(options.format, options.model);
  if (format.system !== undefined) formatted.system.push({ text: format.system });
  const declared = declaredOf(chat, tools);
  if (format.tool) declared.push(toSpec(answerTool, 'Gives the final answer.', format.tool['input_schema']));
  if (caches(options.model)) setCachePoints(formatted, options.boundaries);
  const { body, toolChoice } = toParameters(own);
  const chosen = toolChoice === undefined ? {} : { toolChoice };
  const schema = format.outputFormat && JSON.stringify(format.outputFormat.schema);
  return layExtraBody(
    {
      modelId: options.model,
      messages: formatted.messages,
      ...(formatted.system.length > 0 ? { system: formatted.system } : {}),
      ...(declared.length > 0 ? { toolConfig: { tools: declared, ...chosen } } : {}),
      ...(schema === undefined
        ? {}
        : {
            outputConfig: {
              textFormat: { type: 'json_schema', structure: { jsonSchema: { schema, name: 'response' } } },
            },
          }),
      ...body,
    },
    extra,
  );
};
