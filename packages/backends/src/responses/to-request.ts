import type { Chat } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import type {
  ResponseCreateParams,
  ResponseInputContent,
  ResponseInputItem,
  ResponseTextConfig,
} from 'openai/resources/responses/responses';
import { readAttachment, toUri } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import { nothingToAsk } from '../errors.js';
import { layExtraBody, takeExtraBody } from '../request-body.js';
import { isRecord } from '../shape.js';
import { closeObjects, isStrict } from '../strict-schema.js';
import { loopStart, type Turn, toTurns, type UserPart } from '../turns.js';
import { toShortId, toWireName, withDigest } from '../wire-names.js';
import { toParameters } from './parameters.js';

/**
 * Ids as `call_id`: without the prefix that an item's own id has, at most 64 characters, each different. What an id becomes is
 * decided by what stands before it.
 */
const callIds = (): ((id: string) => string) => {
  const known = new Map<string, string>();
  const used = new Set<string>();
  return (id) => {
    const plain = toShortId(id.replace(/^fc_/, ''), 64);
    const callId = known.get(id) ?? (used.has(plain) ? withDigest(id, 64) : plain);
    known.set(id, callId);
    used.add(callId);
    return callId;
  };
};

const toContent = async (part: UserPart, readBytes: RequestOptions['readBytes']): Promise<ResponseInputContent> => {
  if (part.kind === 'text') return { type: 'input_text', text: part.text };
  const attachment = await readAttachment(part.message, readBytes);
  if (part.kind === 'image') return { type: 'input_image', detail: 'auto', image_url: toUri(attachment) };
  if (attachment.kind === 'url') return { type: 'input_file', file_url: attachment.url };
  return { type: 'input_file', filename: attachment.name, file_data: toUri(attachment) };
};

const toUserItems = async (
  parts: readonly UserPart[],
  readBytes: RequestOptions['readBytes'],
): Promise<ResponseInputItem[]> => {
  const shown = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  const [only] = shown;
  if (!only) return [];
  if (shown.length === 1 && only.kind === 'text') return [{ role: 'user', content: only.text }];
  return [{ role: 'user', content: await Promise.all(shown.map((part) => toContent(part, readBytes))) }];
};

const toItems = async (
  turns: readonly Turn[],
  readBytes: RequestOptions['readBytes'],
): Promise<ResponseInputItem[]> => {
  const items: ResponseInputItem[] = [];
  const start = loopStart(turns);
  const toCallId = callIds();
  for (const [index, turn] of turns.entries()) {
    // Encrypted reasoning goes back before what it led to, while its tool loop is under way.
    const kept = (message: Chat[number]) =>
      index >= start ? (takeCarry<ResponseInputItem[]>(message, 'responses') ?? []) : [];
    if (turn.kind === 'user') items.push(...(await toUserItems(turn.parts, readBytes)));
    else if (turn.kind !== 'tools') {
      if (turn.text !== '') items.push(...kept(turn.message), { role: turn.kind, content: turn.text });
    } else {
      for (const { id, name, arguments: given, message } of turn.calls) {
        const args = JSON.stringify(toArgumentsObject(given));
        const call = {
          type: 'function_call',
          status: 'completed',
          name: toWireName(name),
          arguments: args,
          call_id: toCallId(id),
        } as const;
        items.push(...kept(message), call);
      }
      for (const { id, content } of turn.outputs)
        items.push({ type: 'function_call_output', call_id: toCallId(id), output: content });
    }
  }
  return items;
};

const toTextFormat = (format: NonNullable<RequestOptions['format']>): NonNullable<ResponseTextConfig['format']> => {
  if (format.kind === 'json_object') return { type: 'json_object' };
  const closed = closeObjects(format.schema);
  const strict = isStrict(closed);
  return { type: 'json_schema', name: toWireName(format.name), schema: strict ? closed : format.schema, strict };
};

/** A definition as the Responses API takes it: flat, strict where its schema allows that. */
const toToolDefinition = (tool: Omit<Tool, 'run'>) => {
  const { name, description, parameters } = toolDefinition(tool);
  return { type: 'function' as const, name: toWireName(name), description, parameters, strict: isStrict(parameters) };
};

/**
 * A chat as a request of the Responses API. With `previousResponseId` the chat holds only what came after that response.
 * Source: `ResponseCreateParamsBase` of openai 6.49.0.
 */
export const toRequest = async (
  chat: Chat,
  tools: readonly Tool[],
  options: RequestOptions,
): Promise<ResponseCreateParams> => {
  const { own, extra } = takeExtraBody(options.parameters);
  const input = await toItems(toTurns(chat), options.readBytes);
  if (input.length === 0) throw nothingToAsk('The chat');
  const definitions = [...tools.map(toToolDefinition), ...(options.websearch ? [{ type: 'web_search' as const }] : [])];
  const parameters = toParameters(own);
  const text = {
    ...(isRecord(parameters['text']) ? parameters['text'] : {}),
    ...(options.format ? { format: toTextFormat(options.format) } : {}),
  };
  return layExtraBody(
    {
      model: options.model,
      input,
      ...(definitions.length > 0 ? { tools: definitions } : {}),
      ...(options.previousResponseId === undefined ? {} : { previous_response_id: options.previousResponseId }),
      ...(options.promptCacheKey === undefined ? {} : { prompt_cache_key: options.promptCacheKey }),
      ...parameters,
      ...(Object.keys(text).length > 0 ? { text } : {}),
    },
    extra,
  ) as unknown as ResponseCreateParams;
};
