import type { Message } from '@colophon/chat-format';

/** What a reply's message or call carries for its backend, to be sent back with it. */
export type Carry<T> = { backend: string; kept: T };

/** The carry as `fromReply` puts it on a message or call; nothing where nothing is to be kept. */
export const withCarry = <T>(backend: string, kept: T | undefined): { carry?: Carry<T> } =>
  kept === undefined ? {} : { carry: { backend, kept } };

/** What this backend had put on a message; undefined for a message from a file or from another backend. */
export const takeCarry = <T>(message: Message, backend: string): T | undefined => {
  const carry = message['carry'] as Carry<T> | undefined;
  return typeof carry === 'object' && carry !== null && carry.backend === backend ? carry.kept : undefined;
};
