import type { Chat, Message } from './message.js';
import { parseMeta, printMeta } from './meta.js';

const isMarker = (message: Message, job: string): boolean => {
  if (message.role !== 'meta') return false;
  const meta = parseMeta(message.content);
  return meta['job'] === job && Object.keys(meta).length === 1;
};

const withoutReasoning = (message: Message): Message => {
  if (message.role !== 'meta') return message;
  const { reas, ...meta } = parseMeta(message.content);
  return reas === undefined ? message : { ...message, content: printMeta(meta) };
};

/**
 * The messages of a job's answer as another chat takes them in: one `job=` marker in front, each inference record where it
 * stood, without its reasoning text. Projecting again for the same job changes nothing.
 */
export const project = (job: string, messages: readonly Message[]): Chat => [
  { role: 'meta', content: printMeta({ job }) },
  ...messages.filter((message) => !isMarker(message, job)).map(withoutReasoning),
];
