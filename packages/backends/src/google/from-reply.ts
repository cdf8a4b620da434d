import { type Chat, type Message, normalizeUsage } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { readArguments } from '../call-arguments.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { withCarry } from '../carry.js';
import { emptyReply } from '../provider-error.js';
import { joinReasoning } from '../reasoning-text.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { fromWireName } from '../wire-names.js';

const finishReasons: Record<string, StopReason> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
};

type Kept = { parts?: Record<string, unknown>[]; signature?: string };

/**
 * Reads the first candidate: text in one message (pieces that follow one another are one text), calls, generated images as `image` messages with a data URI, thoughts as reasoning. A prompt
 * that was blocked is a reply without text. Source: `GenerateContentResponse` of @google/genai 2.32.0.
 */
export const fromReply = (raw: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  const [candidate] = isRecord(raw) ? recordsOf(raw['candidates']) : [];
  const feedback = isRecord(raw) && isRecord(raw['promptFeedback']) ? raw['promptFeedback'] : {};
  if (!isRecord(raw) || (!candidate && feedback['blockReason'] === undefined)) throw emptyReply();
  const content = isRecord(candidate?.['content']) ? candidate['content'] : {};
  const parts = recordsOf(content['parts']);
  const messages: Message[] = [];
  const calls: ReplyCall[] = [];
  let thoughts: Record<string, unknown>[] = [];
  const keptOf = (part: Record<string, unknown>): Kept | undefined => {
    const signature = textOf(part['thoughtSignature']);
    const signed = thoughts.filter((thought) => thought['thoughtSignature'] !== undefined);
    thoughts = [];
    return signature === undefined && signed.length === 0
      ? undefined
      : { ...(signed.length > 0 ? { parts: signed } : {}), ...(signature === undefined ? {} : { signature }) };
  };
  const taken = parts.some(({ functionCall: call }) => isRecord(call) && !call['id'])
    ? takenIds(chat)
    : new Set<string>();
  let open: Message | undefined;
  for (const part of parts) {
    const { text, functionCall: call, inlineData: data } = part;
    if (part['thought'] === true) thoughts.push(part);
    else if (isRecord(data)) {
      open = undefined;
      messages.push({
        role: 'image',
        content: `data:${textOf(data['mimeType']) ?? ''};base64,${textOf(data['data']) ?? ''}`,
        ...withCarry<Kept>('google', keptOf(part)),
      });
    } else if (isRecord(call)) {
      open = undefined;
      const name = fromWireName(textOf(call['name']) ?? '', tools);
      const args = readArguments(call['args']);
      const id = textOf(call['id']) || makeCallId(name, args, taken);
      calls.push({ id, name, arguments: args, ...withCarry<Kept>('google', keptOf(part)) });
    } else if (typeof text === 'string') {
      const carried = withCarry<Kept>('google', keptOf(part));
      if (open) Object.assign(open, { content: open.content + text }, carried);
      else if (text !== '') {
        open = { role: 'assistant', content: text, ...carried };
        messages.push(open);
      }
    }
  }
  const finish = textOf(candidate?.['finishReason']);
  const reason = finish === undefined ? (candidate ? undefined : 'content_filter') : (finishReasons[finish] ?? 'other');
  const stopReason = calls.length > 0 && (reason === 'stop' || reason === undefined) ? 'tool_calls' : reason;
  const reasoning = joinReasoning(parts.map((part) => (part['thought'] === true ? part['text'] : undefined)));
  const id = textOf(raw['responseId']);
  const model = textOf(raw['modelVersion']);
  return {
    messages,
    calls,
    ...(isRecord(raw['usageMetadata']) ? { usage: normalizeUsage(raw['usageMetadata']) } : {}),
    ...(id ? { id } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(model ? { model } : {}),
  };
};
