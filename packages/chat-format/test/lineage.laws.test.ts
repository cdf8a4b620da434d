import { type Chat, messageIndex, sumTokens, traceSegments } from '@colophon/chat-format';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system', 'meta', 'function_call_output'),
  content: fc.oneof(
    fc.constantFrom('a', 'tt=1', 'tt=2 pt=1 inference_id=x', 'job=J', ''),
    fc.string({ unit: 'binary' }),
  ),
});
const chat: fc.Arbitrary<Chat> = fc.array(message, { maxLength: 12 });

test('ids depend on the history without its metas, and on nothing else', { timeout }, () => {
  fc.assert(
    fc.property(chat, fc.string(), (messages, source) => {
      const entries = messageIndex(messages, source);
      const plain = messages.filter(({ role }) => role !== 'meta');
      expect(entries.filter(({ role }) => role !== 'meta').map(({ id }) => id)).toEqual(
        messageIndex(plain).map(({ id }) => id),
      );
      expect(messageIndex(messages.slice(0, 5)).map(({ id }) => id)).toEqual(entries.slice(0, 5).map(({ id }) => id));
    }),
    { numRuns: runs },
  );
});

test('two histories with one id are one history', { timeout }, () => {
  // Few letters, in roles and contents alike, so that a hash without framing would soon meet the same bytes twice.
  const letters = fc.constantFrom('', 'a', 'b', 'ab', '",', '["a', '\n', 'null');
  const short = fc.array(fc.record({ role: letters, content: letters }), { maxLength: 2 });
  fc.assert(
    fc.property(short, short, (one, other) => {
      const last = (messages: Chat) => messageIndex(messages).at(-1)?.id;
      expect(last(one) === last(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: runs },
  );
});

test('every meta is one segment, no message lies in two, and a copy of the whole adds nothing', { timeout }, () => {
  fc.assert(
    fc.property(chat, (messages) => {
      const all = traceSegments([{ chat: messages }], { deduplicate: false });
      expect(all.map(({ metaAddress }) => metaAddress)).toEqual(
        messages.flatMap(({ role }, index) => (role === 'meta' ? [index] : [])),
      );
      const covered = all.flatMap(({ messageAddresses }) => messageAddresses);
      expect(new Set(covered).size).toBe(covered.length);
      expect(all.every(({ orphan, messageAddresses }) => orphan === (messageAddresses.length === 0))).toBe(true);
      const once = traceSegments([{ chat: messages }]);
      const twice = traceSegments([{ chat: messages }, { chat: messages }]);
      expect(twice).toEqual(once);
      expect(sumTokens(twice.map(({ meta }) => meta))).toEqual(sumTokens(once.map(({ meta }) => meta)));
    }),
    { numRuns: runs },
  );
});
