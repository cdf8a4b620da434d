import type { Chat, Message } from '@colophon/chat-format';
import { preparePrompt, repairPairs, strategies } from '@colophon/prompt-strategies';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  aRound,
  deepFreeze,
  hostileChat,
  idOf,
  isCallMessage,
  isNotice,
  isToolMessage,
  pairFaults,
  roundMessages,
} from './chats.js';

const isFull = process.env['COLOPHON_FUZZ'] === 'full';
const runs = isFull ? 100_000 : 2_000;
vi.setConfig({ testTimeout: isFull ? 3_600_000 : 30_000 });

const small = fc.record({
  full_tool_outputs: fc.integer({ min: 0, max: 4 }),
  max_tool_calls: fc.integer({ min: 0, max: 6 }),
  max_tool_chars: fc.constantFrom(0, 500, 2_000),
  epoch_tool_call_threshold: fc.integer({ min: 0, max: 6 }),
  epoch_full_tool_calls: fc.integer({ min: 0, max: 3 }),
  epoch_compacted_tool_calls: fc.integer({ min: 0, max: 3 }),
  epoch_size: fc.integer({ min: 1, max: 4 }),
  epoch_increment_max_size: fc.integer({ min: 1, max: 6 }),
});

const isPersonal = ({ role }: Message): boolean => role === 'user' || role === 'system';
const bytes = (chat: Chat): string => JSON.stringify(chat);

describe.each(Object.keys(strategies))('%s', (name) => {
  test('gives what providers accept, changes no system or user message, and leaves its input alone', async () => {
    await fc.assert(
      fc.asyncProperty(hostileChat, small, async (chat, options) => {
        const before = bytes(chat);
        const { chat: prompt, boundaries } = await preparePrompt(deepFreeze(chat), name, { options });
        expect(pairFaults(prompt)).toEqual([]);
        expect(prompt.filter((message) => isPersonal(message) && !isNotice(message))).toEqual(chat.filter(isPersonal));
        expect(bytes(chat)).toBe(before);
        expect(bytes((await preparePrompt(structuredClone(chat), name, { options })).chat)).toBe(bytes(prompt));
        expect(boundaries).toEqual([...new Set(boundaries)].sort((a, b) => a - b));
        expect(boundaries.every((index) => index > 0 && index <= prompt.length)).toBe(true);
        expect(boundaries.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: runs },
    );
  });

  test('given alone, as a function, is pair-safe on well-formed chats', async () => {
    const rounds = fc.array(aRound(fc.integer({ min: 0, max: 20 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rounds, small, fc.boolean(), async (list, options, reuseIds) => {
        const chat = list.flatMap((round, number) => roundMessages(round, number, { reuseIds, mayMiss: false }));
        const prompt = await strategies[name as keyof typeof strategies](
          deepFreeze(reuseIds ? repairPairs(chat) : chat),
          { options },
        );
        expect(pairFaults(prompt)).toEqual([]);
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });
});

/** The groups of a chat that a provider accepts. */
const groupsOf = (chat: Chat): Message[][] => {
  const groups: Message[][] = [];
  for (const [index, message] of chat.entries()) {
    if (!isToolMessage(message)) continue;
    const before = chat[index - 1];
    const continues = before && isToolMessage(before) && (isCallMessage(before) || !isCallMessage(message));
    if (continues) groups.at(-1)?.push(message);
    else groups.push([message]);
  }
  return groups;
};

const isLong = (message: Message): boolean => {
  const { content, arguments: argument } = JSON.parse(message.content) as {
    content?: unknown;
    arguments?: { pad?: string };
  };
  return typeof content === 'string' ? content.length > 400 : (argument?.pad?.length ?? 0) > 200;
};

test.each(['shorten_tools', 'shorten_tools_epoch', 'shorten_tools_epoch_increment'])(
  '%s keeps, shortens or drops a group as one, and counts what it did',
  async (name) => {
    const rounds = fc.array(aRound(fc.integer({ min: 0, max: 9 })), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(rounds, small, fc.boolean(), fc.boolean(), async (list, options, mayMiss, repeats) => {
        const chat = list.flatMap((round, number) => {
          const asks = repeats ? round.asks : round.asks.map((_, index) => number * 10 + index);
          return roundMessages({ ...round, asks }, number, { reuseIds: false, mayMiss });
        });
        const { chat: prompt } = await preparePrompt(deepFreeze(chat), name, { options });
        const kept = new Map(
          prompt.filter(isToolMessage).map((message) => [`${message.role} ${idOf(message)}`, message]),
        );
        let removed = 0;
        for (const group of groupsOf(repairPairs(chat))) {
          const members = group.map((message) => ({ message, kept: kept.get(`${message.role} ${idOf(message)}`) }));
          const gone = members.filter((member) => !member.kept).length;
          expect([0, group.length]).toContain(gone);
          removed += gone;
          const long = members.filter(({ message, kept }) => kept && isLong(message));
          expect(new Set(long.map((member) => member.kept?.['compacted'] === true)).size).toBeLessThanOrEqual(1);
        }
        const shortened = prompt.filter((message) => message['compacted'] === true).length;
        const notices = prompt.filter(isNotice);
        expect(notices.length).toBe(shortened + removed > 0 ? 1 : 0);
        if (!repeats && notices.length > 0) expect(notices[0]?.['notice']).toEqual({ shortened, removed });
        const firstTool = prompt.findIndex(isToolMessage);
        if (notices.length > 0 && firstTool !== -1) expect(prompt.findIndex(isNotice)).toBe(firstTool - 1);
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  },
);

describe('repairPairs', () => {
  test('is the identity on well-formed chats, message by message', () => {
    const rounds = fc.array(aRound(fc.integer({ min: 0, max: 5 })), { maxLength: 8 });
    fc.assert(
      fc.property(rounds, (list) => {
        const chat = list.flatMap((round, number) => roundMessages(round, number, { reuseIds: false, mayMiss: false }));
        const repaired = repairPairs(deepFreeze(chat));
        expect(repaired.length).toBe(chat.length);
        expect(repaired.every((message, index) => message === chat[index])).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  test('does nothing the second time', () => {
    fc.assert(
      fc.property(hostileChat, (chat) => {
        const once = repairPairs(deepFreeze(chat));
        expect(bytes(repairPairs(once))).toBe(bytes(once));
      }),
      { numRuns: runs },
    );
  });
});
