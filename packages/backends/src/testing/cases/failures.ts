import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { can, failureOf, isWire, type Rule, user } from './case.js';

/** What goes wrong on the way, and stopping. */
export const failureRules: Rule[] = [
  {
    name: 'tells a refused key: status, code, not retryable, no key in it',
    replies: [{ status: 401, code: 'authentication_error', message: 'invalid key scripted-key-0123456789' }],
    check: async (stage, ask) => {
      const error = await failureOf(ask([user('go')]));
      assert.equal(error.facts['status'], 401);
      assert.equal(error.facts.retryable, false);
      assert.match(error.message, /401/);
      const shown = inspect(error, { depth: 12, showHidden: true });
      for (const secret of stage.secrets ?? []) assert.ok(!shown.includes(secret), 'the key stands in the error');
    },
  },
  {
    name: 'tells a limit: retryable, and how long to wait',
    replies: [{ status: 429, code: 'rate_limit_error', message: 'slow down', headers: { 'retry-after': '7' } }],
    check: async (_stage, ask) => {
      const error = await failureOf(ask([user('go')]));
      assert.deepEqual([error.facts['status'], error.facts.retryable, error.facts['retryAfter']], [429, true, 7]);
      assert.match(error.message, /slow down/);
    },
  },
  {
    name: 'tells a failing server: retryable',
    replies: [{ status: 500, message: 'out of order' }],
    check: async (_stage, ask) => {
      const error = await failureOf(ask([user('go')]));
      assert.deepEqual([error.facts['status'], error.facts.retryable], [500, true]);
    },
  },
  {
    name: 'takes an answer that is no reply for a failure',
    needs: isWire,
    replies: [{ body: { hello: 'world' } }],
    check: async (_stage, ask) => {
      await failureOf(ask([user('go')]));
    },
  },
  ...(['cut', 'reset', 'malformed'] as const).map(
    (fault): Rule => ({
      name: `takes a stream with the fault ${fault} for a failure that may be tried again`,
      needs: can('streaming'),
      replies: [{ text: 'High water is at six in the morning.', fault }],
      check: async (_stage, ask) => {
        const error = await failureOf(ask([user('go')], { onDelta: () => {} }));
        assert.equal(error.facts.retryable, true, error.message);
      },
    }),
  ),
  ...(['hang', 'stall'] as const).map(
    (fault): Rule => ({
      name: `gives up a stream with the fault ${fault} in time`,
      needs: can('streaming'),
      timeout: 150,
      replies: [{ text: 'High water is at six in the morning.', fault }],
      check: async (_stage, ask) => {
        const error = await failureOf(ask([user('go')], { onDelta: () => {} }));
        assert.equal(error.facts.retryable, true, error.message);
      },
    }),
  ),
  {
    name: 'does not begin what is aborted',
    check: async (stage, ask) => {
      const error = await failureOf(ask([user('go')], { signal: AbortSignal.abort() }));
      assert.equal(error.code, 'aborted');
      assert.equal(stage.requests().length, 0);
    },
  },
  {
    name: 'stops when it is aborted while it waits',
    replies: [{ text: 'never', fault: 'hang' }],
    check: async (_stage, ask) => {
      const controller = new AbortController();
      const asked = failureOf(ask([user('go')], { signal: controller.signal }));
      setTimeout(() => controller.abort(), 30);
      assert.equal((await asked).code, 'aborted');
    },
  },
  {
    name: 'stops when it is aborted while it streams',
    needs: can('streaming'),
    replies: [{ text: 'one two three four five six seven eight nine ten', pause: 10 }],
    check: async (_stage, ask) => {
      const controller = new AbortController();
      const error = await failureOf(ask([user('go')], { signal: controller.signal, onDelta: () => controller.abort() }));
      assert.equal(error.code, 'aborted');
    },
  },
];

