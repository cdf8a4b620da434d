import { preparePrompt } from '@colophon/prompt-strategies';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { call, history, idOf, isToolMessage, output, user } from './chats.js';

const isFull = process.env['COLOPHON_FUZZ'] === 'full';
const runs = isFull ? 100_000 : 2_000;
vi.setConfig({ testTimeout: isFull ? 3_600_000 : 30_000 });

const options = {
  epoch_tool_call_threshold: 1,
  epoch_full_tool_calls: 1,
  epoch_compacted_tool_calls: 0,
  epoch_size: 1,
};

/** The same JSON value with its keys the other way round, at every depth; `defineProperty` takes a key named `__proto__` too. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
};

const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b) || Object.keys(a).length !== Object.keys(b).length) return false;
  return Object.entries(a).every(
    ([key, item]) => Object.hasOwn(b, key) && isSame(item, (b as Record<string, unknown>)[key]),
  );
};

const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const keptOf = async (first: unknown, second: unknown): Promise<string[]> => {
  const chat = [
    user('q'),
    call('first', first),
    output('first'),
    call('second', second),
    output('second'),
    ...history(3),
  ];
  const { chat: prompt } = await preparePrompt(chat, 'shorten_tools_epoch', { options });
  return prompt.filter(isToolMessage).map(idOf);
};

const anArgument = fc.jsonValue({ maxDepth: 4 }).map(stored);

test('calls whose arguments differ in the order of keys alone are repeats', async () => {
  await fc.assert(
    fc.asyncProperty(anArgument, async (value) => {
      expect(await keptOf(value, reversed(value))).toContain('second');
    }),
    { numRuns: runs },
  );
});

test('calls are repeats only where their arguments are the same', async () => {
  const few = fc.jsonValue({ maxDepth: 1, stringUnit: fc.constantFrom('a', '"') }).map(stored);
  await fc.assert(
    fc.asyncProperty(fc.oneof(anArgument, few), fc.oneof(anArgument, few), async (first, second) => {
      // A text that holds JSON stands for what it holds; null for no arguments.
      fc.pre(![first, second].some((value) => typeof value === 'string' || value === null));
      expect((await keptOf(first, second)).includes('second')).toBe(isSame(first, second));
    }),
    { numRuns: runs },
  );
});
