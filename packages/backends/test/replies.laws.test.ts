import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backends, type WireBackend } from '@colophon/backends';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;

const folder = fileURLToPath(new URL('recorded/', import.meta.url));
const names = [
  'openai',
  'responses',
  'anthropic',
  'ollama',
  'vllm',
  'glm',
  'huggingface',
  'bedrock',
  'google',
] as const;

const recordedOf = (name: string): unknown[] =>
  readdirSync(join(folder, name))
    .filter((file) => !file.endsWith('.expected.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, name, file), 'utf8')).body);

const junk: unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  'x',
  '\ud800',
  [],
  {},
  [null],
  [[]],
  true,
  { toString: 1 },
  { length: 5 },
];
const kinds = [{ type: 'text' }, { type: 'function_call' }, { type: 'message', content: null }, { type: 'tool_use' }];

/** The value with some of its parts replaced, left out, or with more put beside them; `dice` says which. */
const spoil = (value: unknown, dice: () => number): unknown => {
  const roll = dice();
  if (roll < 8) return [...junk, ...kinds][dice() % (junk.length + kinds.length)];
  if (Array.isArray(value)) {
    const parts = value.map((part) => spoil(part, dice));
    return dice() < 8 ? [...parts, ...kinds] : parts;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (dice() < 5 ? [] : [[key, spoil(part, dice)]])),
  );
};

const attempt = <T>(action: () => T): [T | undefined, unknown] => {
  try {
    return [action(), undefined];
  } catch (error) {
    return [undefined, error];
  }
};

const all = await Promise.all(names.map(async (name) => ({ name, backend: (await backends[name]()) as WireBackend })));

describe.each(all)('$name', ({ name, backend }) => {
  test('whatever stands in a reply, it is read, or found to be none', () => {
    const recorded = recordedOf(name);
    const dice = fc.array(fc.nat(99), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.constantFrom(...recorded), dice, (reply, rolls) => {
        let at = 0;
        const spoiled = spoil(reply, () => rolls[at++ % rolls.length]!);
        const read = () => backend.fromReply(spoiled, { tools: [], chat: [] });
        const [found, error] = attempt(read);
        // A failure that is known has a code; a TypeError has none.
        if (!found) expect(error).toHaveProperty('code', expect.any(String));
        const { messages, calls } = found ?? { messages: [], calls: [] };
        const texts = [
          ...messages.flatMap(({ role, content }) => [role, content]),
          ...calls.flatMap(({ id, name }) => [id, name]),
        ];
        expect(texts.filter((text) => typeof text !== 'string')).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
