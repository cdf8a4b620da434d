import type { Chat, Message } from '@colophon/chat-format';
import { epochSchedule, preparePrompt } from '@colophon/prompt-strategies';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { aRound, deepFreeze, isNotice, isToolMessage, type Round, roundMessages, system, user } from './chats.js';

const isFull = process.env['COLOPHON_FUZZ'] === 'full';
/** Each run prepares up to 15 prompts. */
const runs = isFull ? 20_000 : 200;
vi.setConfig({ testTimeout: isFull ? 3_600_000 : 30_000 });

const thresholds = fc.record({
  epoch_tool_call_threshold: fc.integer({ min: 0, max: 8 }),
  epoch_full_tool_calls: fc.integer({ min: 0, max: 5 }),
  epoch_compacted_tool_calls: fc.integer({ min: 1, max: 6 }),
  epoch_size: fc.integer({ min: 1, max: 7 }),
  epoch_increment_epochs_per_increase: fc.integer({ min: 0, max: 2 }),
  epoch_increment_size_increase: fc.integer({ min: 0, max: 3 }),
  epoch_increment_max_size: fc.integer({ min: 1, max: 12 }),
});
type Thresholds = typeof thresholds extends fc.Arbitrary<infer T> ? T : never;

const boundaryOf = (name: string, options: Thresholds, total: number): string => {
  const { epoch_tool_call_threshold: threshold, epoch_size: size } = options;
  if (total <= threshold) return 'none';
  if (name === 'shorten_tools_epoch') return String(Math.floor((total - threshold - 1) / size));
  const { pinnedTotal, epochSize } = epochSchedule({
    total,
    repeats: [],
    threshold,
    initialSize: size,
    epochsPerIncrease: options.epoch_increment_epochs_per_increase,
    sizeIncrease: options.epoch_increment_size_increase,
    repeatIncrease: 10,
    maxSize: options.epoch_increment_max_size,
  });
  return `${pinnedTotal} ${epochSize}`;
};

const lines = (chat: Chat): string[] => chat.map((message) => JSON.stringify(message));
const outputsOf = (chat: Chat): number => chat.filter(({ role }) => role === 'function_call_output').length;

/** Chats after each round, of calls none of which repeats another. */
const turnsOf = (rounds: Round[], ids: { reuseIds: boolean; mayMiss: boolean }): Chat[] => {
  let chat: Chat = [system('be brief'), user('begin')];
  return [
    chat,
    ...rounds.map((round, number) => {
      const asks = round.asks.map((_, index) => number * 10 + index);
      // Text behind it is what tells a round that was interrupted from calls made in parallel.
      chat = [...chat, ...roundMessages({ ...round, asks, hears: round.hears || ids.mayMiss }, number, ids)];
      return chat;
    }),
  ].map((turn) => turn.filter(({ role }) => role !== 'meta'));
};

test.each(['none', 'shorten_tools_epoch', 'shorten_tools_epoch_increment'])(
  '%s: within an epoch the prompt of a turn is a byte prefix of that of the next',
  async (name) => {
    let extended = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRound(fc.constant(0)), { minLength: 3, maxLength: 14 }),
        thresholds,
        fc.record({ reuseIds: fc.boolean(), mayMiss: fc.boolean() }),
        async (rounds, options, ids) => {
          let before: { boundary: string; prompt: string[] } | undefined;
          for (const chat of turnsOf(rounds, ids)) {
            const boundary = name === 'none' ? 'none' : boundaryOf(name, options, outputsOf(chat));
            const prompt = lines((await preparePrompt(deepFreeze(chat), name, { options })).chat);
            if (before?.boundary === boundary) {
              expect(prompt.slice(0, before.prompt.length)).toEqual(before.prompt);
              extended++;
            }
            before = { boundary, prompt };
          }
        },
      ),
      { numRuns: runs },
    );
    expect(extended).toBeGreaterThan(runs);
  },
);

test('the boundaries of a prompt hold in the next one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRound(fc.constant(0)), { minLength: 3, maxLength: 14 }),
      thresholds,
      async (rounds, options) => {
        let before: { boundary: string; chat: Chat; boundaries: number[] } | undefined;
        const plain = rounds.map((round): Round => ({ ...round, order: 'reversed', hears: false }));
        for (const chat of turnsOf(plain, { reuseIds: false, mayMiss: false })) {
          const boundary = boundaryOf('shorten_tools_epoch', options, outputsOf(chat));
          const prepared = await preparePrompt(chat, 'shorten_tools_epoch', { options });
          if (before?.boundary === boundary) {
            for (const index of before.boundaries)
              expect(lines(prepared.chat.slice(0, index))).toEqual(lines(before.chat.slice(0, index)));
            expect(prepared.boundaries).toContain(before.chat.length);
          }
          before = { boundary, ...prepared };
        }
      },
    ),
    { numRuns: runs },
  );
});

test('the notice says what the first prompt of the epoch did, and has the same text until its end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRound(fc.integer({ min: 0, max: 6 })), { minLength: 3, maxLength: 14 }),
      thresholds,
      async (rounds, options) => {
        let chat: Chat = [user('begin')];
        let before: { boundary: string; notice: Message | undefined } | undefined;
        for (const [number, round] of rounds.entries()) {
          const order = round.order === 'interleaved' ? 'as called' : round.order;
          chat = [...chat, ...roundMessages({ ...round, order }, number, { reuseIds: false, mayMiss: false })];
          const { chat: prompt } = await preparePrompt(chat, 'shorten_tools_epoch', { options });
          const notice = prompt.find(isNotice);
          const boundary = boundaryOf('shorten_tools_epoch', options, outputsOf(chat));
          const shortened = prompt.filter((message) => message['compacted'] === true).length;
          const removed = chat.filter(isToolMessage).length - prompt.filter(isToolMessage).length;
          if (before?.boundary !== boundary) expect(notice?.['notice']).toEqual(notice && { shortened, removed });
          else if (before.notice && notice) expect(notice).toEqual(before.notice);
          before = { boundary, notice };
        }
      },
    ),
    { numRuns: runs },
  );
});
