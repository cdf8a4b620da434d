import { type Chat, pairToolCalls } from '@colophon/chat-format';

/** What a specialist is given of its caller when its conversation opens. */
export const inheritance = ['none', 'tools', 'conversation'] as const;

/** One of them. */
export type Inherit = (typeof inheritance)[number];

/** What is known of the caller: the messages that declare its tools, and its conversation beyond its start. */
export type Caller = { declared: Chat; conversation: () => Chat };

const firstWord = (content: string): string => content.trim().split(/\s+/, 1)[0] ?? '';

// What the specialist declares itself is its own matter: the same tools twice would be an error.
const withoutOwn = (declared: Chat, own: Chat): Chat => {
  const known = new Set(own.map(({ role, content }) => `${role} ${firstWord(content)}`));
  return declared.filter(({ role, content }) => !known.has(`${role} ${firstWord(content)}`));
};

/** A conversation without calls that have no output yet, such as the one that asks. */
const settled = (chat: Chat): Chat => {
  const open = new Set(
    pairToolCalls(chat)
      .filter(({ outputAddress }) => outputAddress === null)
      .map(({ callAddress }) => Number(callAddress)),
  );
  return chat.filter((_, index) => !open.has(index));
};

/** The messages that a specialist with this start begins with, after its start. */
export const inherited = (inherit: Inherit, { declared, conversation }: Caller, start: Chat): Chat => {
  if (inherit === 'none') return [];
  const tools = withoutOwn(declared, start);
  return inherit === 'tools' ? tools : [...tools, ...settled(conversation())];
};
