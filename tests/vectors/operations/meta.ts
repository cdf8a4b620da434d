import { chat, normalizeUsage, parseMeta, printMeta, printTokens, project, takeMeta } from '@colophon/chat-format';
import type { Operation } from '../vector.js';
import { chatOf, plainMessages, toChat } from './chat-of.js';
import { tokenReport } from './token-report.js';

/** Inference records, one by one and in chats. */
export const meta: Record<string, Operation> = {
  serialize_meta: ({ meta }) => ({ text: printMeta(Object.fromEntries(meta)) }),
  parse_meta: ({ text }) => ({ meta: parseMeta(text) }),
  roundtrip_meta: ({ meta }) => ({ meta: parseMeta(printMeta(Object.fromEntries(meta))) }),
  normalize_usage: ({ usage }) => ({ tokens: normalizeUsage(usage) }),
  chat_meta: (input) => {
    const taken = takeMeta(chatOf(input));
    return { meta: taken.meta, remaining_roles: taken.chat.map(({ role }) => role) };
  },
  jobs: (input) => {
    const annotated = chat([...chatOf(input)]);
    return { jobs: annotated.jobPaths(), last: annotated.meta(), last_job: annotated.lastJob() };
  },
  project: (input) => ({ messages: plainMessages(project(input.job, chatOf(input))) }),
  token_totals: ({ chats }) => tokenReport(chats.map(toChat)),
  print_tokens: ({ tokens }) => ({ text: printTokens(tokens) }),
};
