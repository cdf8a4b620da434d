import { type Chat, type Message, roles } from '@colophon/chat-format';

/** A message that is stored, and what became of it in the prompt. */
export type Pair = { stored: Message; seen?: Message };

/** Directives in whose place the prompt has a message. */
const replaced = new Set(['import', 'file', 'continue', 'last']);

/** Lines the stored messages up with those of the prompt that they became. Linear. */
export const pairMessages = (stored: Chat, seen: Chat): Pair[] => {
  let next = 0;
  return stored.map((message) => {
    const candidate = seen[next];
    const same = candidate !== undefined && candidate.role === message.role && candidate.content === message.content;
    if (!candidate || !(same || replaced.has(message.role))) return { stored: message };
    next++;
    return { stored: message, seen: candidate };
  });
};

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);

const show = ({ role, content }: Message, width: number): string =>
  cut(`${role}: ${content.replace(/\s+/g, ' ')}`, width);

const groups = {
  options: 'an option of the run',
  declarations: 'tools, sent beside it',
  evidence: 'kept here, never sent',
} as const;

/** Why a stored message has no counterpart in the prompt. */
const reason = ({ role }: Message): string =>
  role === 'assistant' ? 'what it answered' : (groups[roles[role]?.group as keyof typeof groups] ?? 'not sent');

/** Two columns: what is stored, and what the model saw of it, or why it did not. */
export const renderSides = (
  pairs: readonly Pair[],
  { width, dim }: { width: number; dim: (text: string) => string },
): string => {
  const half = Math.floor((width - 5) / 2);
  const head = `  ${dim(cut('stored in the file', half))}   ${dim('what the model saw at last')}`;
  const rows = pairs.map(
    ({ stored, seen }) => `  ${show(stored, half)}   ${seen ? show(seen, half).trimEnd() : dim(`(${reason(stored)})`)}`,
  );
  return [head, ...rows].join('\n');
};
