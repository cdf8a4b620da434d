import type { Message } from '@colophon/chat-format';
import { readAttachment } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import { isRecord } from '../shape.js';
import { loopStart, type Turn, type UserPart } from '../turns.js';
import { toWireName } from '../wire-names.js';

export type Part = Record<string, unknown>;

export type Content = { role: 'user' | 'model'; parts: Part[] };

const toUserPart = async (part: UserPart, readBytes: RequestOptions['readBytes']): Promise<Part | undefined> => {
  if (part.kind === 'text') return part.text === '' ? undefined : { text: part.text };
  const attachment = await readAttachment(part.message, readBytes);
  return attachment.kind === 'url'
    ? { fileData: { fileUri: attachment.url } }
    : { inlineData: { mimeType: attachment.mediaType, data: attachment.base64 } };
};

/** An output as the object that the API takes: its own where it is one, else under `result` or `error`. */
const toResponse = (content: string, failed: boolean): Record<string, unknown> => {
  let value: unknown = content;
  try {
    value = JSON.parse(content);
  } catch {
    // Text stays text.
  }
  return !failed && isRecord(value) ? value : { [failed ? 'error' : 'result']: content };
};

/** Signatures go back with the part that they came with, thoughts before it. */
const keptOf = (message: Message): { before: Part[]; signature: Part } => {
  const kept = takeCarry<{ parts?: Part[]; signature?: string }>(message, 'google');
  return {
    before: kept?.parts ?? [],
    signature: kept?.signature === undefined ? {} : { thoughtSignature: kept.signature },
  };
};

/**
 * Turns as contents: system text apart, turns of one role merged, responses of parallel calls in one user turn in the order of the
 * calls. The API pairs by name and order as well as by id. Linear.
 */
export const toContents = async (
  turns: readonly Turn[],
  readBytes: RequestOptions['readBytes'],
): Promise<{ system: Part[]; contents: Content[] }> => {
  const system: Part[] = [];
  const contents: Content[] = [];
  const start = loopStart(turns);
  const add = (role: Content['role'], ...parts: Part[]): void => {
    const last = contents.at(-1);
    if (parts.length === 0) return;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  for (const [place, turn] of turns.entries()) {
    const kept = (message: Message) => (place >= start ? keptOf(message) : { before: [], signature: {} });
    if (turn.kind === 'system') {
      if (turn.text !== '') system.push({ text: turn.text });
    } else if (turn.kind === 'assistant') {
      const { before, signature } = kept(turn.message);
      if (turn.text !== '') add('model', ...before, { text: turn.text, ...signature });
    } else if (turn.kind === 'user') {
      for (const part of turn.parts) {
        const shown = await toUserPart(part, readBytes);
        if (shown) add('user', shown);
      }
    } else {
      const names = new Map(turn.calls.map(({ id, name }) => [id, toWireName(name)]));
      for (const { id, name, arguments: given, message } of turn.calls) {
        const { before, signature } = kept(message);
        add('model', ...before, {
          functionCall: { id, name: toWireName(name), args: toArgumentsObject(given) },
          ...signature,
        });
      }
      for (const { id, name, content, failed } of turn.outputs)
        add('user', {
          functionResponse: {
            id,
            name: names.get(id) ?? toWireName(name ?? 'unknown'),
            response: toResponse(content, failed),
          },
        });
    }
  }
  return { system, contents };
};
