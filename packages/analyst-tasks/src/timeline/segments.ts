import { type Chat, type Meta, parseCall, parseMeta } from '@colophon/chat-format';
import { printAddress } from '../address.js';
import type { CallFact } from '../chat-extras.js';
import { isDelegationTool } from '../delegations.js';
import { type Resource, resourcesIn } from '../resources.js';
import type { Session } from '../session.js';
import { characters, digestOf } from '../text.js';
import { groupNames, groupOf, type ToolGroup, type ToolGroups } from './tool-groups.js';

/** A text that a model left, without the text: what is needed to tell it again and to compare it. */
export type Reasoning = { fingerprint: string; characters: number; words: number; vocabulary: ReadonlySet<string> };

/** A tool call inside a segment. */
export type SegmentCall = CallFact & { path: string; group: ToolGroup; resources: Resource[] };

/** A piece of work: one inference and the calls that it made, or calls that no inference accounts for. */
export type WorkSegment = {
  id: string;
  path: string;
  /** Of the meta, or of the turn before an implicit segment. */
  index: number;
  implicit: boolean;
  /** As the meta tells it, and in milliseconds since 1970. */
  timestamp?: string;
  time?: number;
  reasoning?: Reasoning;
  calls: SegmentCall[];
  group: ToolGroup;
};

const reasoningOf = (text: unknown): Reasoning | undefined => {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return {
    fingerprint: digestOf(text, 'sha256', 16),
    characters: characters(text),
    words: words.length,
    vocabulary: new Set(words),
  };
};

const timeOf = (meta: Meta): { timestamp?: string; time?: number } => {
  const timestamp = meta['timestamp'];
  if (timestamp === undefined) return {};
  const time = Date.parse(String(timestamp));
  return { timestamp: String(timestamp), ...(Number.isNaN(time) ? {} : { time }) };
};

/** The group that most of the calls have; of equal ones the first in the list. Without calls: analysis. */
const mostFrequent = (calls: readonly SegmentCall[]): ToolGroup => {
  const counts = new Map<ToolGroup, number>();
  for (const { group } of calls) counts.set(group, (counts.get(group) ?? 0) + 1);
  return groupNames.reduce<ToolGroup>(
    (best, group) => ((counts.get(group) ?? 0) > (counts.get(best) ?? 0) ? group : best),
    'analysis',
  );
};

type Open = Omit<WorkSegment, 'group'>;

/** The segments of one chat, in their order. Linear. */
const segmentsOfChat = (
  chat: Chat,
  calls: readonly Omit<SegmentCall, 'resources'>[],
  path: string,
  home: string | undefined,
): Open[] => {
  const segments: Open[] = [];
  const callAt = new Map(calls.map((call) => [call.call, call]));
  let current: Open | undefined;
  let turn = 0;
  for (const [index, { role, content }] of chat.entries()) {
    const id = printAddress(path, index, home);
    if (role === 'meta') {
      const meta = parseMeta(content);
      const reasoning = reasoningOf(meta['reas']);
      current = { id, path, index, implicit: false, ...timeOf(meta), ...(reasoning ? { reasoning } : {}), calls: [] };
      segments.push(current);
    } else if (role === 'user' || role === 'system') {
      current = undefined;
      turn = index;
    }
    const call = callAt.get(index);
    if (!call) continue;
    if (!current) {
      const implicit = `${printAddress(path, turn, home).replace(/#\d+$/, '')}#implicit-${turn}`;
      current = { id: implicit, path, index: turn, implicit: true, calls: [] };
      segments.push(current);
    }
    current.calls.push({ ...call, resources: resourcesIn(parseCall(content)?.arguments) });
  }
  return segments;
};

const byPlace = (one: WorkSegment, other: WorkSegment): number =>
  one.path === other.path ? one.index - other.index : one.path < other.path ? -1 : 1;

const byTime = (one: WorkSegment, other: WorkSegment): number => {
  const [first, second] = [one.time ?? Number.MAX_VALUE, other.time ?? Number.MAX_VALUE];
  return first === second ? byPlace(one, other) : first - second;
};

/** All segments of a session by time; those without one stand last. Each chat is read once. */
export const workSegments = async (session: Session, groups: ToolGroups): Promise<WorkSegment[]> => {
  const all: WorkSegment[] = [];
  for (const chat of session.chats) {
    session.context.signal?.throwIfAborted();
    const calls = session
      .extras(chat)
      .calls.map((call) => ({ ...call, path: chat.path, group: groupOf(call.tool, groups) }));
    for (const segment of segmentsOfChat(await session.messages(chat.path), calls, chat.path, session.context.home))
      all.push({ ...segment, group: mostFrequent(segment.calls) });
  }
  return all.sort(byTime);
};

/** Calls of a segment that speak to an agent. */
export const delegationsIn = ({ calls }: WorkSegment): SegmentCall[] =>
  calls.filter(({ tool }) => isDelegationTool(tool));

/** Calls of a segment that failed. */
export const failuresIn = ({ calls }: WorkSegment): SegmentCall[] => calls.filter(({ success }) => success === false);
