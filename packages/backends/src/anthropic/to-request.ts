import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import type { Chat } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import type { RequestOptions } from '../backend.js';
import { nothingToAsk } from '../errors.js';
import { layExtraBody, takeExtraBody } from '../request-body.js';
import { isRecord } from '../shape.js';
import { toTurns } from '../turns.js';
import { toWireName } from '../wire-names.js';
import { setCacheMarks } from './cache-marks.js';
import { answerTool, toFormatParts } from './output-format.js';
import { toParameters } from './parameters.js';
import { dropChanged, dropThinking, loopThinks } from './preserved-thinking.js';
import { type AnthropicMessage, type Formatted, toMessages } from './to-messages.js';

/** A definition as the Messages API takes it. */
const toToolDefinition = (tool: Omit<Tool, 'run'>): Record<string, unknown> => {
  const { name, description, parameters } = toolDefinition(tool);
  return { type: 'custom', name: toWireName(name), description: description ?? '', input_schema: parameters };
};

/** Messages with the thinking that may go back, and the thinking parameter that goes with them. */
const settleThinking = (
  request: { system: unknown; tools: unknown },
  { messages, kept }: Formatted,
  thinking: unknown,
): { messages: AnthropicMessage[]; thinking?: unknown } => {
  const mode = isRecord(thinking) ? thinking['type'] : undefined;
  const given = thinking === undefined ? {} : { thinking };
  if (mode === 'disabled') return { messages: dropThinking(messages), ...given };
  // With a fixed budget the blocks of the loop are demanded, and only models that don't look at what stands before take one.
  if (mode === 'enabled') return loopThinks(messages) ? { messages, ...given } : { messages: dropThinking(messages) };
  return { messages: dropChanged({ ...request, messages }, kept), ...given };
};

/**
 * A chat as a request of the Messages API. Source: `MessageCreateParamsBase` of @anthropic-ai/sdk 1.14.0;
 * platform.claude.com/docs/en/build-with-claude for the rules on turns, thinking and cache marks.
 */
export const toRequest = async (
  chat: Chat,
  tools: readonly Tool[],
  options: RequestOptions,
): Promise<MessageCreateParams> => {
  const { own, extra } = takeExtraBody(options.parameters);
  const formatted = await toMessages(toTurns(chat), options.readBytes);
  if (formatted.messages.length === 0) throw nothingToAsk('The chat');
  const format = toFormatParts(options.format, options.model);
  const system = [...formatted.system, ...(format.system === undefined ? [] : [{ type: 'text', text: format.system }])];
  const definitions: Record<string, unknown>[] = tools.map(toToolDefinition);
  if (options.websearch) definitions.push({ type: 'web_search_20250305', name: 'web_search' });
  if (format.tool) definitions.push(format.tool);
  const { thinking, ...parameters } = toParameters(own, options.model, definitions.length > 0);
  const settled = settleThinking(
    { system: system.length > 0 ? system : undefined, tools: definitions.length > 0 ? definitions : undefined },
    formatted,
    thinking,
  );
  setCacheMarks(
    system.at(-1) ?? definitions.at(-1),
    formatted.placed,
    options.boundaries,
    own['cache_control'] ? 3 : 4,
  );
  const config = isRecord(parameters['output_config']) ? parameters['output_config'] : {};
  const thinks = isRecord(settled.thinking) && settled.thinking['type'] !== 'disabled';
  // A forced tool and thinking exclude each other; then the system text asks for it.
  const forced =
    format.tool && !thinks
      ? { tool_choice: definitions.length > 1 ? { type: 'any' } : { type: 'tool', name: answerTool } }
      : {};
  return layExtraBody(
    {
      model: options.model,
      ...parameters,
      ...(format.outputFormat ? { output_config: { ...config, format: format.outputFormat } } : {}),
      ...(settled.thinking === undefined ? {} : { thinking: settled.thinking }),
      ...forced,
      ...(system.length > 0 ? { system } : {}),
      ...(definitions.length > 0 ? { tools: definitions } : {}),
      messages: settled.messages,
    },
    extra,
  ) as unknown as MessageCreateParams;
};
