import type { Chat } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import { readAttachment } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import { nothingToAsk, unsupported } from '../errors.js';
import { layExtraBody, takeExtraBody } from '../request-body.js';
import { type CallPart, loopStart, type Turn, toTurns, type UserPart } from '../turns.js';
import { toWireName } from '../wire-names.js';
import { toParameters } from './parameters.js';

/** A message of Ollama's chat API. Source: `Message` of ollama 0.6.4, and the ids of calls that the server knows beside it. */
export type OllamaMessage = {
  role: string;
  content: string;
  thinking?: string;
  images?: string[];
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: Record<string, unknown> } }[];
  tool_name?: string;
  tool_call_id?: string;
};

/** A request of Ollama's chat API, without `stream`. */
export type OllamaRequest = { model: string; messages: OllamaMessage[]; [key: string]: unknown };

const toImage = async (part: UserPart, readBytes: RequestOptions['readBytes']): Promise<string> => {
  if (part.kind === 'pdf') throw unsupported('`pdf`', 'ollama', part.message);
  const attachment = await readAttachment(part.message, readBytes);
  if (attachment.kind === 'url') throw unsupported('`image` by address', 'ollama', part.message);
  return attachment.base64;
};

const toUserMessage = async (
  parts: readonly UserPart[],
  readBytes: RequestOptions['readBytes'],
): Promise<OllamaMessage> => {
  const texts = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : []));
  const images = await Promise.all(
    parts.filter((part) => part.kind !== 'text').map((part) => toImage(part, readBytes)),
  );
  return { role: 'user', content: texts.join('\n\n'), ...(images.length > 0 ? { images } : {}) };
};

const toToolCall = ({ id, name, arguments: given }: CallPart) => ({
  id,
  type: 'function' as const,
  function: { name: toWireName(name), arguments: toArgumentsObject(given) },
});

const toMessages = async (turns: readonly Turn[], readBytes: RequestOptions['readBytes']): Promise<OllamaMessage[]> => {
  const messages: OllamaMessage[] = [];
  const start = loopStart(turns);
  for (const [index, turn] of turns.entries()) {
    if (turn.kind === 'user') {
      const message = await toUserMessage(turn.parts, readBytes);
      if (message.content !== '' || message.images) messages.push(message);
    } else if (turn.kind !== 'tools') {
      if (turn.text !== '') messages.push({ role: turn.kind, content: turn.text });
    } else {
      const { calls, outputs } = turn;
      const [first] = calls;
      if (first) {
        // Text that the model wrote before its calls stands in one message with them.
        const before =
          turns[index - 1]?.kind === 'assistant' && messages.at(-1)?.role === 'assistant' ? messages.pop() : undefined;
        const thinking = index >= start ? takeCarry<string>(first.message, 'ollama') : undefined;
        const thought = thinking === undefined ? {} : { thinking };
        messages.push({
          role: 'assistant',
          content: before?.content ?? '',
          ...thought,
          tool_calls: calls.map(toToolCall),
        });
      }
      const names = new Map(calls.map((call) => [call.id, call.name]));
      for (const { id, name, content } of outputs) {
        const called = names.get(id) ?? name;
        messages.push({
          role: 'tool',
          content,
          ...(called === undefined ? {} : { tool_name: toWireName(called) }),
          tool_call_id: id,
        });
      }
    }
  }
  return messages;
};

/** A definition as Ollama takes it: in the envelope of chat completions. */
const toToolDefinition = (tool: Omit<Tool, 'run'>) => {
  const { type, function: definition } = toolDefinition(tool, { envelope: true });
  return { type, function: { ...definition, name: toWireName(definition.name) } };
};

/**
 * A chat as a request of Ollama's chat API: arguments as objects, images in base64 beside the text, the schema as `format`.
 * Source: `ChatRequest` of ollama 0.6.4.
 */
export const toRequest = async (
  chat: Chat,
  tools: readonly Tool[],
  options: RequestOptions,
): Promise<OllamaRequest> => {
  if (options.websearch) throw unsupported('`websearch`', 'ollama');
  const { own, extra } = takeExtraBody(options.parameters);
  const messages = await toMessages(toTurns(chat), options.readBytes);
  if (messages.length === 0) throw nothingToAsk('The chat');
  const format = options.format?.kind === 'json_schema' ? options.format.schema : options.format && 'json';
  return layExtraBody(
    {
      model: options.model,
      messages,
      ...(tools.length > 0 ? { tools: tools.map(toToolDefinition) } : {}),
      ...(format === undefined ? {} : { format }),
      ...toParameters(own),
    },
    extra,
  ) as OllamaRequest;
};
