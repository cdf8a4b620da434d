import { preparePrompt, simulate } from '@colophon/prompt-strategies';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { assistant, history, user } from './chats.js';

afterEach(() => vi.restoreAllMocks());

/** How often JSON was parsed, and how many characters. */
const parsed = async (action: () => Promise<unknown>): Promise<{ times: number; characters: number }> => {
  const spy = vi.spyOn(JSON, 'parse');
  await action();
  const characters = spy.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  const times = spy.mock.calls.length;
  spy.mockRestore();
  return { times, characters };
};

describe.each(['none', 'shorten_tools', 'shorten_tools_epoch', 'shorten_tools_epoch_increment'])('%s', (strategy) => {
  test('parses each message once, and those that it keeps a few times more', async () => {
    for (const count of [100, 1_000, 4_000]) {
      const chat = [user('q'), ...history(count)];
      const { times } = await parsed(() => preparePrompt(chat, strategy));
      const { chat: prompt } = await preparePrompt(chat, strategy);
      expect(times).toBeGreaterThanOrEqual(2 * count);
      expect(times).toBeLessThanOrEqual(2 * count + (strategy === 'none' ? 0 : 3 * prompt.length));
    }
  });
});

test('a replay parses each message a few times, however many turns it has', async () => {
  for (const count of [50, 200, 400]) {
    const { times } = await parsed(() => simulate([user('q'), ...history(count), assistant('a')]));
    expect(times).toBeLessThanOrEqual(12 * count + 500);
  }
});
