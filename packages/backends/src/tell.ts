import type { Delta, Reply } from './backend.js';
import type { Run } from './run.js';

/** Whether a reply's text was told already, and whether the reply is over: a backend may go on talking. */
export type Told = { text: boolean; over?: boolean };

/** Hands pieces of a reply to those who listen, until it is over. */
export const streamTo =
  ({ emit }: Run, seen: Told) =>
  (delta: Delta) => {
    if (seen.over || typeof delta?.text !== 'string') return;
    seen.text ||= delta.kind === 'text';
    emit(
      delta.kind === 'text' ? { kind: 'text-delta', text: delta.text } : { kind: 'reasoning-delta', text: delta.text },
    );
  };

/** Tells in one piece what was not streamed, so that who listens gets every text. */
export const tellWhole = ({ emit }: Run, { messages, reasoning }: Reply, seen: Told): void => {
  if (seen.text) return;
  if (reasoning) emit({ kind: 'reasoning-delta', text: reasoning });
  for (const { role, content } of messages)
    if (role === 'assistant' && content !== '') emit({ kind: 'text-delta', text: content });
};
