import type { Chat } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { readAttachment, toUri } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import { nothingToAsk, unsupported } from '../errors.js';
import { layExtraBody, takeExtraBody } from '../request-body.js';
import { closeObjects, isStrict } from '../strict-schema.js';
import { type CallPart, loopStart, type Turn, toTurns, type UserPart } from '../turns.js';
import { toShortId, toWireName } from '../wire-names.js';
import type { KeptReasoning } from './from-reply.js';
import { toParameters } from './parameters.js';

/** Chat completions refuse longer ids of calls. */
const idLength = 40;

const toPart = async (part: UserPart, readBytes: RequestOptions['readBytes']): Promise<ChatCompletionContentPart> => {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const attachment = await readAttachment(part.message, readBytes);
  if (part.kind === 'image') return { type: 'image_url', image_url: { url: toUri(attachment) } };
  if (attachment.kind === 'url') throw unsupported('`pdf` by address', 'openai', part.message);
  return { type: 'file', file: { filename: attachment.name, file_data: toUri(attachment) } };
};

const toUserMessage = async (
  parts: readonly UserPart[],
  readBytes: RequestOptions['readBytes'],
): Promise<ChatCompletionMessageParam> => {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text') return { role: 'user', content: only.text };
  const shown = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return { role: 'user', content: await Promise.all(shown.map((part) => toPart(part, readBytes))) };
};

const toToolCall = ({ id, name, arguments: given }: CallPart) => ({
  id: toShortId(id, idLength),
  type: 'function' as const,
  function: { name: toWireName(name), arguments: JSON.stringify(toArgumentsObject(given)) },
});

/** Reasoning that some compatible servers want back while a tool loop is under way. */
const reasoningOf = (calls: readonly CallPart[], underWay: boolean): KeptReasoning => {
  const first = calls[0];
  return (underWay && first && takeCarry<KeptReasoning>(first.message, 'openai')) || {};
};

const toMessages = async (
  turns: readonly Turn[],
  readBytes: RequestOptions['readBytes'],
): Promise<ChatCompletionMessageParam[]> => {
  const messages: ChatCompletionMessageParam[] = [];
  const start = loopStart(turns);
  for (const [index, turn] of turns.entries()) {
    if (turn.kind === 'user') {
      const message = await toUserMessage(turn.parts, readBytes);
      if (message.content?.length !== 0) messages.push(message);
    } else if (turn.kind !== 'tools') {
      if (turn.text !== '') messages.push({ role: turn.kind, content: turn.text });
    } else {
      const { calls, outputs } = turn;
      if (calls.length > 0) {
        // Text that the model wrote before its calls stands in one message with them.
        const before =
          turns[index - 1]?.kind === 'assistant' && messages.at(-1)?.role === 'assistant' ? messages.pop() : undefined;
        const content = (before?.content as string | undefined) ?? null;
        messages.push({
          role: 'assistant',
          content,
          ...reasoningOf(calls, index >= start),
          tool_calls: calls.map(toToolCall),
        });
      }
      for (const { id, content } of outputs)
        messages.push({ role: 'tool', tool_call_id: toShortId(id, idLength), content });
    }
  }
  return messages;
};

const toResponseFormat = (
  format: NonNullable<RequestOptions['format']>,
): NonNullable<ChatCompletionCreateParams['response_format']> => {
  if (format.kind === 'json_object') return { type: 'json_object' };
  const closed = closeObjects(format.schema);
  const strict = isStrict(closed);
  return {
    type: 'json_schema',
    json_schema: {
      name: toWireName(format.name),
      schema: strict ? closed : format.schema,
      ...(strict ? { strict } : {}),
    },
  };
};

/** A definition as chat completions take it. */
const toToolDefinition = (tool: Omit<Tool, 'run'>) => {
  const { type, function: definition } = toolDefinition(tool, { envelope: true });
  return { type, function: { ...definition, name: toWireName(definition.name) } };
};

/**
 * A chat as a request of chat completions: the calls of one group in one assistant message, with the text that stood before
 * them; tool messages of role, id and content alone. Source: `ChatCompletionCreateParamsBase` of openai 6.49.0.
 */
export const toRequest = async (
  chat: Chat,
  tools: readonly Tool[],
  options: RequestOptions,
): Promise<ChatCompletionCreateParams> => {
  if (options.websearch) throw unsupported('`websearch`', 'openai');
  const { own, extra } = takeExtraBody(options.parameters);
  const messages = await toMessages(toTurns(chat), options.readBytes);
  if (messages.length === 0) throw nothingToAsk('The chat');
  return layExtraBody(
    {
      model: options.model,
      messages,
      ...(tools.length > 0 ? { tools: tools.map(toToolDefinition) } : {}),
      ...(options.format ? { response_format: toResponseFormat(options.format) } : {}),
      ...(options.promptCacheKey === undefined ? {} : { prompt_cache_key: options.promptCacheKey }),
      ...toParameters(own, options.model),
    },
    extra,
  ) as unknown as ChatCompletionCreateParams;
};
