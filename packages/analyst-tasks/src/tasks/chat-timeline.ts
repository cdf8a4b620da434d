import { z } from 'zod';
import { printAddress, shortPath } from '../address.js';
import { targetAgent } from '../delegations.js';
import { countBy } from '../meta-records.js';
import type { Session } from '../session.js';
import { defineTask } from '../task.js';
import { type Burst, cutBursts } from '../timeline/bursts.js';
import { delegationsIn, failuresIn, type SegmentCall, type WorkSegment, workSegments } from '../timeline/segments.js';
import { opaque } from '../timeline/selectors.js';
import { signalSchema } from '../timeline/signals.js';
import { parseGroups } from '../timeline/tool-groups.js';

const whole = () => z.number().int();
const resourceSchema = z.object({ key: z.string().describe('digest of the name'), kind: z.enum(['path', 'url']) });

const callSchema = z.object({
  tool: z.string(),
  primary_group: z.string(),
  call_id: z.string().nullable(),
  call_address: z.string(),
  output_address: z.string().nullable(),
  success: z.boolean().nullable(),
  status_reason: z.string(),
  target_agent: z.string().optional(),
  conversation: z.string().optional(),
  resources: z.array(resourceSchema),
});

const segmentSchema = z.object({
  id: z.string().describe('address of its meta, or `path#implicit-index`'),
  chat: z.string(),
  timestamp: z.string().optional(),
  group: z.string().describe('what most of its calls do'),
  reasoning: z.object({ fingerprint: z.string(), characters: whole(), words: whole() }).optional(),
  calls: z.array(callSchema),
});

const burstFacts = {
  id: whole(),
  start: z.string().optional(),
  end: z.string().optional(),
  calls: whole(),
  failures: whole(),
  delegations: whole(),
  chats: z.array(z.string()),
  groups: z.record(z.string(), whole()).describe('calls by group'),
  resources: whole().describe('different files and addresses that arguments name'),
  reasoning_fingerprints: z.array(z.string()),
  breakpoint_signals: z.array(signalSchema),
};

const delegationSchema = z.object({
  burst: whole(),
  segment: z.string(),
  call_address: z.string(),
  tool: z.string(),
  target_agent: z.string().optional(),
  conversation: z.string().optional(),
  success: z.boolean().nullable(),
});

const common = {
  root: z.object({ kind: z.enum(['chat', 'job']), path: z.string() }),
  summary: z.object({
    segments: whole(),
    tool_events: whole(),
    bursts: whole(),
    chats: whole(),
    failures: whole(),
    delegations: whole(),
    resources: whole(),
  }),
  note: z.string(),
};

type Home = string | undefined;

const named = (call: SegmentCall) => {
  const [agent, conversation] = [opaque(targetAgent(call)), opaque(call.conversation)];
  return {
    ...(agent === undefined ? {} : { target_agent: agent }),
    ...(conversation === undefined ? {} : { conversation }),
  };
};

const resourcesOf = (segments: readonly WorkSegment[]): number =>
  new Set(segments.flatMap(({ calls }) => calls.flatMap(({ resources }) => resources.map(({ key }) => key)))).size;

const toCall = (call: SegmentCall, home: Home): z.input<typeof callSchema> => ({
  tool: call.tool,
  primary_group: call.group,
  call_id: call.callId,
  call_address: printAddress(call.path, call.call, home),
  output_address: call.output === null ? null : printAddress(call.path, call.output, home),
  success: call.success,
  status_reason: call.reason,
  ...named(call),
  resources: call.resources,
});

const toSegment = (segment: WorkSegment, home: Home): z.input<typeof segmentSchema> => {
  const { id, path, timestamp, group, reasoning, calls } = segment;
  return {
    id,
    chat: shortPath(path, home),
    ...(timestamp === undefined ? {} : { timestamp }),
    group,
    ...(reasoning
      ? { reasoning: { fingerprint: reasoning.fingerprint, characters: reasoning.characters, words: reasoning.words } }
      : {}),
    calls: calls.map((call) => toCall(call, home)),
  };
};

const burstFactsOf = ({ id, segments, signals }: Burst, home: Home) => {
  const times = segments.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [timestamp]));
  const calls = segments.flatMap((segment) => segment.calls);
  const [start, end] = [times[0], times.at(-1)];
  return {
    id,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    calls: calls.length,
    failures: segments.flatMap(failuresIn).length,
    delegations: segments.flatMap(delegationsIn).length,
    chats: [...new Set(segments.map(({ path }) => shortPath(path, home)))],
    groups: countBy(calls, ({ group }) => group),
    resources: resourcesOf(segments),
    reasoning_fingerprints: segments.flatMap(({ reasoning }) => (reasoning ? [reasoning.fingerprint] : [])),
    breakpoint_signals: signals,
  };
};

const delegationsOf = (bursts: readonly Burst[], home: Home): z.input<typeof delegationSchema>[] =>
  bursts.flatMap(({ id, segments }) =>
    segments.flatMap((segment) =>
      delegationsIn(segment).map((call) => ({
        burst: id,
        segment: segment.id,
        call_address: printAddress(call.path, call.call, home),
        tool: call.tool,
        ...named(call),
        success: call.success,
      })),
    ),
  );

const summaryOf = (session: Session, segments: readonly WorkSegment[], bursts: readonly Burst[]) => ({
  segments: segments.length,
  tool_events: segments.reduce((sum, { calls }) => sum + calls.length, 0),
  bursts: bursts.length,
  chats: session.chats.length,
  failures: segments.flatMap(failuresIn).length,
  delegations: segments.flatMap(delegationsIn).length,
  resources: resourcesOf(segments),
});

const idsOf = (bursts: string | readonly (string | number)[] | undefined): string[] | undefined => {
  if (bursts === undefined) return undefined;
  const list = typeof bursts === 'string' ? bursts.split(/[\s,]+/) : bursts.map(String);
  return list.filter((id) => id !== '');
};

/** When the work of a session was done, and where it turned. */
export const chatTimeline = defineTask({
  name: 'chat_timeline',
  description:
    'The work of a session in time: segments (an inference and its calls) of all chats, cut into bursts where nothing happened for a while, with signals where the work turned: long gaps, delegations, failures, another subject. Without `bursts` an overview; with the ids of bursts their segments and calls. Tells no outputs, arguments, file names or reasoning: digests and addresses only.',
  root: 'session',
  input: z.object({
    groups: z.string().optional().describe('tools by kind of work, e.g. `search=search,grep*;read=cat`'),
    burst_gap: z.number().positive().default(120).describe('seconds without work that end a burst'),
    bursts: z
      .union([z.string(), z.array(z.union([z.string(), z.number()]))])
      .optional()
      .describe('ids of bursts to look into'),
  }),
  output: z.discriminatedUnion('mode', [
    z.object({
      mode: z.literal('overview'),
      ...common,
      bursts: z.array(z.object({ ...burstFacts, segments: whole() })),
      delegations: z.array(delegationSchema),
    }),
    z.object({
      mode: z.literal('detail'),
      ...common,
      selected_burst_ids: z.array(z.string()),
      bursts: z.array(z.object({ ...burstFacts, segments: z.array(segmentSchema) })),
    }),
  ]),
  check: ({ groups }) => void parseGroups(groups),
  run: async (session, { groups, burst_gap: gap, bursts: wanted }) => {
    const { root, context } = session;
    const { home } = context;
    const segments = await workSegments(session, parseGroups(groups));
    const bursts = cutBursts(segments, gap);
    const facts = {
      root: { kind: root.kind, path: shortPath(root.path, home) },
      summary: summaryOf(session, segments, bursts),
      note: 'Texts stand behind the addresses: `message_content` and `chat_reasoning` give them.',
    };
    const ids = idsOf(wanted);
    if (ids === undefined)
      return {
        mode: 'overview' as const,
        ...facts,
        bursts: bursts.map((burst) => ({ ...burstFactsOf(burst, home), segments: burst.segments.length })),
        delegations: delegationsOf(bursts, home),
      };
    const chosen = bursts.filter(({ id }) => ids.includes(String(id)));
    return {
      mode: 'detail' as const,
      ...facts,
      selected_burst_ids: ids,
      bursts: chosen.map((burst) => ({
        ...burstFactsOf(burst, home),
        segments: burst.segments.map((segment) => toSegment(segment, home)),
      })),
    };
  },
});
