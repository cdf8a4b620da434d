import { type Chat, type Meta, parseMeta, parseOutput, tokenFields } from '@colophon/chat-format';

// Reasoning is text, and the running totals of a run (`pt_s`) or of a chat (`pt_c`) are no payment.
const leftOut = new Set(['reas', ...tokenFields.flatMap((field) => [`${field}_s`, `${field}_c`])]);

const isKept = (name: string): boolean => !leftOut.has(name);

const fieldsOf = (content: string): Meta =>
  Object.fromEntries(Object.entries(parseMeta(content)).filter(([name]) => isKept(name)));

const carried = (content: string): Meta[] => {
  const entries = parseOutput(content)?.meta;
  return Array.isArray(entries) ? entries : [];
};

/**
 * The receipt of a part of a conversation: the fields of its metas, in order, without reasoning and running totals. `deep`: also
 * what its tool outputs carry, for a conversation that is saved nowhere.
 */
export const receiptOf = (chat: Chat, { deep = false } = {}): Meta[] =>
  chat
    .flatMap(({ role, content }) => {
      if (role === 'meta') return [fieldsOf(content)];
      return deep && role === 'function_call_output' ? carried(content) : [];
    })
    .filter((fields) => Object.keys(fields).length > 0);
