import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, replay } from '@colophon/backends';
import { type Chat, parseCall, parseChat, printChat } from '@colophon/chat-format';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, lines, readChat, testContext } from './helpers.js';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 2_000 : 60;

const tool = (idempotent: boolean) => ({
  name: 'add',
  description: 'Adds',
  parameters: { type: 'object', properties: { a: { type: 'number' } } },
  idempotent,
  run: ({ a }: Record<string, unknown>) => `sum ${Number(a) + 1}`,
});

// Twenty rounds: some with text beside the calls, some with several calls, nasty text among them.
const replies = [
  ...Array.from({ length: 20 }, (_, round) => ({
    ...(round % 3 === 0 ? { text: `Step ${round}\n\nuser: not a message\n\`\`\`` } : {}),
    ...(round % 5 === 0 ? { reasoning: `think = ${round}` } : {}),
    calls: Array.from({ length: round % 4 === 1 ? 3 : 1 }, (_, n) => ({
      id: `c${round}_${n}`,
      name: 'add',
      arguments: { a: round * 10 + n },
    })),
    usage: { pt: 100 + round, ct: 10 },
    id: `resp_${round}`,
  })),
  { text: 'The end.', usage: { pt: 500, ct: 3 } },
];

let recorded: Chat;
let text: string;

beforeAll(async () => {
  const folder = freshFolder();
  const file = join(folder, 'whole.chat');
  await ask(
    { file, question: 'Add them all' },
    { backend: replay({ replies }), tools: [tool(true)], context: testContext(folder) },
  );
  recorded = readChat(file);
  text = readFileSync(file, 'utf8');
});

const resume = async (content: string, idempotent = true) => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  writeFileSync(file, content);
  const answer = await ask(
    { file },
    { backend: replay({ chat: recorded }), tools: [tool(idempotent)], context: testContext(folder) },
  );
  return { answer, chat: readChat(file), text: readFileSync(file, 'utf8') };
};

const idsOf = (chat: Chat, role: string): string[] =>
  chat.flatMap((message) => (message.role === role ? [String(parseCall(message.content)?.id)] : []));

describe('a recorded conversation of twenty rounds, cut behind any message', () => {
  test('is finished by resuming it; nothing is there twice, and at most the reply in flight is missing', async () => {
    const whole = lines(recorded);
    for (let end = 1; end <= recorded.length; end++) {
      const prefix = recorded.slice(0, end);
      const { answer, chat } = await resume(`${printChat(prefix)}\n`);
      expect(answer.text, `cut at ${end}`).toBe('The end.');
      expect(chat.slice(0, end)).toEqual(prefix);
      const after = lines(chat);
      expect(new Set(after).size).toBe(after.length);
      expect(idsOf(chat, 'function_call_output').sort()).toEqual(idsOf(chat, 'function_call').sort());
      const missing = whole.filter((line) => !after.includes(line));
      expect(after.every((line) => whole.includes(line))).toBe(true);
      // Calls of the reply that was cut in the middle, each with its output.
      const round = missing.map((line) => /c(\d+)_/.exec(line)?.[1]);
      expect(new Set(round).size).toBeLessThanOrEqual(1);
    }
  }, 120_000);

  test('tools that are not idempotent run once, or the model is told that nobody knows', async () => {
    for (let end = 1; end <= recorded.length; end += 7) {
      const { answer, chat } = await resume(`${printChat(recorded.slice(0, end))}\n`, false);
      expect(answer.text).toBe('The end.');
      expect(idsOf(chat, 'function_call_output').sort()).toEqual(idsOf(chat, 'function_call').sort());
    }
  }, 60_000);

  test('resuming a second time finds nothing to do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: recorded.length }), async (end) => {
        const first = await resume(`${printChat(recorded.slice(0, end))}\n`);
        const second = await resume(first.text);
        expect(second.text).toBe(first.text);
        expect(second.answer).toMatchObject({ text: 'The end.', messages: [] });
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  }, 600_000);
});

test('cut at any byte behind the question, it is finished and what was there stays', async () => {
  const bytes = Buffer.from(text);
  const start = text.indexOf('\nmeta:');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: start, max: bytes.length }), async (end) => {
      const cut = bytes.subarray(0, end).toString('utf8');
      const { answer, text: after } = await resume(cut);
      expect(answer.text).toBe('The end.');
      expect(after.startsWith(cut)).toBe(true);
      const before = parseChat(cut);
      expect(parseChat(after).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    }),
    { numRuns: runs },
  );
}, 600_000);
