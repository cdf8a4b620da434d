import { readAttachment } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import { loopStart, type Turn, type UserPart } from '../turns.js';
import { toWireName } from '../wire-names.js';

type Part = Record<string, unknown>;

/** A message of a prompt, as `LanguageModelV3Message` has it. */
export type PromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant' | 'tool'; content: Part[] };

/** What goes back with a part: reasoning that stood before it, and the provider's own data of it. */
export type Kept = { reasoning?: Part[]; options?: unknown };

const toUserPart = async (part: UserPart, readBytes: RequestOptions['readBytes']): Promise<Part | undefined> => {
  if (part.kind === 'text') return part.text === '' ? undefined : { type: 'text', text: part.text };
  const attachment = await readAttachment(part.message, readBytes);
  if (attachment.kind === 'url')
    return { type: 'file', mediaType: part.kind === 'image' ? 'image/*' : 'application/pdf', url: attachment.url };
  const { mediaType, base64, name } = attachment;
  return { type: 'file', mediaType, data: base64, ...(part.kind === 'pdf' ? { filename: name } : {}) };
};

/** Turns as a prompt: turns of one role merged but for system text, results in one tool message. Linear. */
export const toPrompt = async (
  turns: readonly Turn[],
  readBytes: RequestOptions['readBytes'],
): Promise<PromptMessage[]> => {
  const prompt: PromptMessage[] = [];
  const start = loopStart(turns);
  const add = (role: 'user' | 'assistant' | 'tool', ...parts: Part[]): void => {
    const last = prompt.at(-1);
    if (parts.length === 0) return;
    if (role !== 'user' && last?.role === role) last.content.push(...parts);
    else prompt.push({ role, content: parts });
  };
  for (const [place, turn] of turns.entries()) {
    const kept = (message: Parameters<typeof takeCarry>[0]): Kept =>
      place >= start ? (takeCarry<Kept>(message, 'ai-sdk') ?? {}) : {};
    if (turn.kind === 'system') prompt.push({ role: 'system', content: turn.text });
    else if (turn.kind === 'assistant') {
      const { reasoning = [], options } = kept(turn.message);
      if (turn.text !== '')
        add('assistant', ...reasoning, {
          type: 'text',
          text: turn.text,
          ...(options ? { providerOptions: options } : {}),
        });
    } else if (turn.kind === 'user') {
      const parts = await Promise.all(turn.parts.map((part) => toUserPart(part, readBytes)));
      add('user', ...parts.filter((part) => part !== undefined));
    } else {
      const names = new Map(turn.calls.map(({ id, name }) => [id, toWireName(name)]));
      for (const { id, name, arguments: given, message } of turn.calls) {
        const { reasoning = [], options } = kept(message);
        const call = { type: 'tool-call', toolCallId: id, toolName: toWireName(name), input: toArgumentsObject(given) };
        add('assistant', ...reasoning, { ...call, ...(options ? { providerOptions: options } : {}) });
      }
      for (const { id, name, content, failed } of turn.outputs)
        add('tool', {
          type: 'tool-result',
          toolCallId: id,
          toolName: names.get(id) ?? toWireName(name ?? 'unknown'),
          output: { type: failed ? 'error-text' : 'text', value: content },
        });
    }
  }
  return prompt;
};
