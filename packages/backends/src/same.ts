import type { PrintableMessage } from '@colophon/chat-format';

const printed = ({ content }: PrintableMessage): string =>
  typeof content === 'string' ? content : content === null || content === undefined ? '' : JSON.stringify(content);

/** Whether two messages read the same in a file. */
export const same = (a: PrintableMessage, b: PrintableMessage): boolean =>
  a.role === b.role && printed(a) === printed(b);
