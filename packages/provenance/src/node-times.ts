import type { ChatFacts } from './facts.js';
import type { Graph, Node } from './graph.js';
import { hiddenChats } from './picture.js';

/** When a node was at work, in milliseconds since 1970. */
export type Span = { start: number; end: number };

const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/;

/** Milliseconds of a time as records and `.info` have it; undefined for other texts. Without a zone it is UTC. */
const parseTime = (text: unknown): number | undefined => {
  const [, day, time, zone = 'Z'] = (typeof text === 'string' && written.exec(text)) || [];
  if (day === undefined) return undefined;
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const milliseconds = new Date(`${day}T${time!.slice(0, 12)}${offset}`).getTime();
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
};

const widen = (span: Span | undefined, time: number | undefined): Span | undefined => {
  if (time === undefined) return span;
  return span === undefined
    ? { start: time, end: time }
    : { start: Math.min(span.start, time), end: Math.max(span.end, time) };
};

const spanOf = ({ metas }: ChatFacts): Span | undefined =>
  metas.reduce<Span | undefined>((span, { meta }) => widen(span, parseTime(meta['timestamp'])), undefined);

/**
 * When each node was at work, by id: from the first to the last time in the records of its chat (of a job: of its
 * result, else its transcript), else by the job's own times, else when its file was changed. Nodes of which nothing is known are left out.
 */
export const nodeTimes = (graph: Graph): Map<string, Span> => {
  const times = new Map<string, Span>();
  const put = (id: string, span: Span | undefined) => {
    if (span !== undefined) times.set(id, span);
  };
  const chats = graph.nodes.filter((node) => node.kind === 'chat');
  for (const { id, facts } of chats) put(id, spanOf(facts));
  // A transcript repeats the history that a result leaves out.
  const produced = [...hiddenChats(graph)].map(([chat, job]) => ({
    chat,
    job,
    isResult: chat.slice(5) === job.slice(4),
  }));
  for (const { chat, job } of [...produced.filter(({ isResult }) => isResult), ...produced])
    if (!times.has(job)) put(job, times.get(chat));
  const fallback = (node: Node): Span | undefined => {
    const recorded =
      node.kind === 'job' ? widen(widen(undefined, parseTime(node.facts.start)), parseTime(node.facts.end)) : undefined;
    return recorded ?? widen(undefined, node.facts.modified ?? undefined);
  };
  for (const node of graph.nodes) if (!times.has(node.id)) put(node.id, fallback(node));
  return times;
};
