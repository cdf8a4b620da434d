import { type Chat, type Message, parseCall, parseOutput } from '@colophon/chat-format';
import fc from 'fast-check';

export const call = (id: string | undefined, argument: unknown = {}, name = 'load'): Message => ({
  role: 'function_call',
  content: JSON.stringify({ name, arguments: argument, id }),
});

export const output = (id: string | undefined, content: unknown = 'done', more: object = {}): Message => ({
  role: 'function_call_output',
  content: JSON.stringify({ name: 'load', content, id, ...more }),
});

export const user = (content: string): Message => ({ role: 'user', content });
export const assistant = (content: string): Message => ({ role: 'assistant', content });
export const system = (content: string): Message => ({ role: 'system', content });
export const meta = (content = 'pt=10 ct=2'): Message => ({ role: 'meta', content });

/** A chat of `count` calls, one after the other, none repeated, with outputs long enough to be shortened. */
export const history = (count: number, from = 0): Chat =>
  Array.from({ length: count }, (_, index) => index + from).flatMap((n) => [
    call(`c${n}`, { n, pad: 'p'.repeat(300) }),
    output(`c${n}`, `${n} `.repeat(400)),
  ]);

/** Freezes a value to its depth, so that whoever writes to it fails. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
};

export const idOf = (message: Message): string => (JSON.parse(message.content) as { id: string }).id;
export const isCallMessage = ({ role }: Message): boolean => role === 'function_call' || role === 'mcp_call';
export const isToolMessage = (message: Message): boolean =>
  isCallMessage(message) || message.role === 'function_call_output';
export const isNotice = ({ role, content }: Message): boolean =>
  role === 'user' && content.startsWith('=== Context Management ===');

/** Why no provider would take this chat: the rules of their APIs on calls and outputs. Empty where all would. */
export const pairFaults = (chat: Chat): string[] => {
  const faults: string[] = [];
  const used = new Set<string>();
  let open: string[] = [];
  let inCalls = false;
  for (const [index, message] of chat.entries()) {
    if (isToolMessage(message)) {
      const read = isCallMessage(message) ? parseCall(message.content) : parseOutput(message.content);
      if (read?.id === undefined) faults.push(`${index}: no id`);
      const id = String(read?.id);
      if (isCallMessage(message)) {
        if (read?.name === undefined) faults.push(`${index}: no name`);
        if (open.length > 0 && !inCalls) faults.push(`${index}: a call between a group and its outputs`);
        if (used.has(id)) faults.push(`${index}: the id ${id} stands twice`);
        used.add(id);
        open.push(id);
        inCalls = true;
      } else {
        if (!open.includes(id)) faults.push(`${index}: an output without a call before it`);
        open = open.filter((other) => other !== id);
        inCalls = false;
      }
    } else if (open.length > 0) faults.push(`${index}: ${message.role} between a group and its outputs`);
  }
  if (open.length > 0) faults.push(`calls without output: ${open.join(' ')}`);
  return faults;
};

const anId = fc.constantFrom('a', 'b', 'c', 'a_2', '', undefined);
const anArgument = fc.oneof(
  fc.constantFrom<unknown>({}, { q: 1 }, { q: 2 }, '{"q":1}', 'not json', null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.record({ text: fc.string({ unit: 'binary', minLength: 190, maxLength: 420 }) }),
);
const aContent = fc.oneof(
  fc.constantFrom<unknown>('', 'short', { exception: 'failed' }, null, 7),
  fc.string({ unit: 'binary', minLength: 380, maxLength: 900 }),
);
const malformed = fc.constantFrom('', '{', 'null', '[]', '7', '"text"', '{"id":"a"}', '{"function":{}}', 'plain words');

const aCallContent = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ name: fc.constantFrom('load', 'save'), arguments: anArgument, id: anId })
      .map((v) => JSON.stringify(v)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ call_id: anId, function: fc.record({ name: fc.constant('load'), arguments: fc.constant('{"q":1}') }) })
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: malformed },
);
const anOutputContent = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ content: aContent, id: anId, step: fc.constantFrom(undefined, 'Flow/task/x') })
      .map((v) => JSON.stringify(v)),
  },
  { weight: 1, arbitrary: fc.record({ tool_call_id: anId, content: aContent }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: malformed },
);

const aMessage: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      role: fc.constantFrom('function_call', 'function_call', 'mcp_call'),
      content: aCallContent,
    }),
  },
  { weight: 4, arbitrary: fc.record({ role: fc.constant('function_call_output'), content: anOutputContent }) },
  { weight: 1, arbitrary: fc.record({ role: fc.constant('meta'), content: fc.constantFrom('pt=5 ct=2', 'job=x') }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.string() }) },
);

/** Any messages in any order: calls without outputs, outputs without calls, ids that repeat, contents that are no JSON. */
export const hostileChat: fc.Arbitrary<Chat> = fc.array(aMessage, { maxLength: 40 });

/** How one round of a growing chat goes: its calls (by what they ask), which outputs are missing, and how ids are given. */
export type Round = {
  asks: number[];
  missing: boolean[];
  order: 'as called' | 'reversed' | 'interleaved';
  says: boolean;
  hears: boolean;
};

export const aRound = (asks: fc.Arbitrary<number>): fc.Arbitrary<Round> =>
  fc.record({
    asks: fc.array(asks, { minLength: 1, maxLength: 4 }),
    missing: fc.array(
      fc.boolean().map((value) => value),
      { minLength: 4, maxLength: 4 },
    ),
    order: fc.constantFrom('as called', 'reversed', 'interleaved'),
    says: fc.boolean(),
    hears: fc.boolean(),
  });

/** The messages of a round. `reuseIds` counts ids from zero in each round, as some servers do. */
export const roundMessages = (
  round: Round,
  number: number,
  { reuseIds, mayMiss }: { reuseIds: boolean; mayMiss: boolean },
): Chat => {
  const pairs = round.asks.map((n, index) => {
    const id = reuseIds ? `call_${index}` : `r${number}_${index}`;
    const answer = mayMiss && round.missing[index] ? [] : [output(id, `${number}.${index} `.repeat(200))];
    return { call: call(id, { n, pad: 'p'.repeat(250) }), answer };
  });
  const outputs = pairs.flatMap(({ answer }) => answer);
  const tools =
    round.order === 'interleaved'
      ? pairs.flatMap((pair) => [pair.call, ...pair.answer])
      : [...pairs.map((pair) => pair.call), ...(round.order === 'reversed' ? outputs.toReversed() : outputs)];
  return [
    meta(),
    ...(round.says ? [assistant(`round ${number}`)] : []),
    ...tools,
    ...(round.hears ? [assistant('and?'), user(`go on ${number}`)] : []),
  ];
};
