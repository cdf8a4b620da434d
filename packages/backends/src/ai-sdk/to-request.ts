import type { Chat } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import type { RequestOptions } from '../backend.js';
import { nothingToAsk } from '../errors.js';
import { takeExtraBody } from '../request-body.js';
import { toTurns } from '../turns.js';
import { toWireName } from '../wire-names.js';
import { toPrompt } from './to-prompt.js';

/** Request parameters, under snake_case names. Source: `LanguageModelV3CallOptions` of @ai-sdk/provider 3.0.19. */
export const parameters = [
  'frequency_penalty',
  'max_tokens',
  'presence_penalty',
  'provider',
  'provider_options',
  'seed',
  'stop',
  'temperature',
  'tool_choice',
  'top_k',
  'top_p',
] as const;

const names: Record<string, string> = {
  frequency_penalty: 'frequencyPenalty',
  max_tokens: 'maxOutputTokens',
  presence_penalty: 'presencePenalty',
  provider_options: 'providerOptions',
  seed: 'seed',
  temperature: 'temperature',
  top_k: 'topK',
  top_p: 'topP',
};

/** A request as it is kept and shown: the package of the provider, the model's id, and what the model is called with. */
export type AiSdkRequest = { provider?: unknown; model: string; call: Record<string, unknown> };

const toToolChoice = (choice: unknown): unknown => {
  if (typeof choice !== 'string') return choice;
  if (choice === 'any') return { type: 'required' };
  return ['auto', 'none', 'required'].includes(choice) ? { type: choice } : { type: 'tool', toolName: choice };
};

const toDefinition = (tool: Tool) => {
  const { name, description, parameters: inputSchema } = toolDefinition(tool);
  return { type: 'function', name: toWireName(name), ...(description ? { description } : {}), inputSchema };
};

const toFormat = (format: NonNullable<RequestOptions['format']>) =>
  format.kind === 'json_object'
    ? { type: 'json' }
    : { type: 'json', name: toWireName(format.name), schema: format.schema };

/** A chat as the call of a language model. What came as `extra_body` is data of the provider, by its name, as `provider_options` is. */
export const toRequest = async (chat: Chat, tools: readonly Tool[], options: RequestOptions): Promise<AiSdkRequest> => {
  const { own, extra } = takeExtraBody(options.parameters);
  const { provider, stop, tool_choice: choice } = own;
  const prompt = await toPrompt(toTurns(chat), options.readBytes);
  if (prompt.length === 0) throw nothingToAsk('The chat');
  const given = Object.entries(own).flatMap(([name, value]) => (names[name] ? [[names[name], value] as const] : []));
  const call: Record<string, unknown> = {
    prompt,
    ...Object.fromEntries(given),
    ...(stop === undefined ? {} : { stopSequences: [stop].flat() }),
    ...(tools.length > 0 ? { tools: tools.map(toDefinition) } : {}),
    ...(choice === undefined ? {} : { toolChoice: toToolChoice(choice) }),
    ...(options.format ? { responseFormat: toFormat(options.format) } : {}),
  };
  if (Object.keys(extra).length > 0)
    call['providerOptions'] = { ...(call['providerOptions'] as object | undefined), ...extra };
  return { ...(provider === undefined ? {} : { provider }), model: options.model, call };
};
