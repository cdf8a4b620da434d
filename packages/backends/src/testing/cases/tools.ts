import assert from 'node:assert/strict';
import { assistant, call, can, output, type Rule, seen, tide, user } from './case.js';

/** How tools are told, called and answered. */
export const toolRules: Rule[] = [
  {
    name: 'tells its tools, without fixed values',
    needs: can('tools'),
    replies: [{ text: 'ok' }],
    check: async (stage, ask) => {
      await ask([user('go')], { tools: [tide] });
      const tools = seen(stage)?.tools;
      if (!tools) return;
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['tide'],
      );
      const { properties, defaults } = tools[0]?.parameters as { properties: object; defaults?: unknown };
      assert.deepEqual([Object.keys(properties), defaults], [['port'], undefined]);
    },
  },
  {
    name: 'reads parallel calls in order, and the text beside them',
    needs: can('tools'),
    replies: [
      {
        text: 'Let me look.',
        calls: [
          { name: 'tide', arguments: { port: 'Rye' }, id: 'call_a' },
          { name: 'tide', arguments: { port: 'Hull' }, id: 'call_b' },
        ],
      },
    ],
    check: async (_stage, ask) => {
      const reply = await ask([user('go')], { tools: [tide] });
      assert.deepEqual(
        reply.messages.map(({ content }) => content),
        ['Let me look.'],
      );
      assert.deepEqual(
        reply.calls.map(({ id, name, arguments: args }) => ({ id, name, args })),
        [
          { id: 'call_a', name: 'tide', args: { port: 'Rye' } },
          { id: 'call_b', name: 'tide', args: { port: 'Hull' } },
        ],
      );
      assert.equal(reply.stopReason, 'tool_calls');
    },
  },
  {
    name: 'gives calls without an id ids of their own',
    needs: can('tools'),
    replies: [
      {
        calls: [
          { name: 'tide', arguments: { port: 'Rye' } },
          { name: 'tide', arguments: { port: 'Rye' } },
        ],
      },
    ],
    check: async (_stage, ask) => {
      const { calls } = await ask([user('go')], { tools: [tide] });
      assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
      assert.ok(calls.every(({ id }) => id !== ''));
    },
  },
  {
    name: 'sends calls back with their outputs, in the order of the calls whatever ended first',
    needs: can('tools'),
    replies: [{ text: 'ok' }, { text: 'ok' }],
    check: async (stage, ask) => {
      const calls = [
        user('go'),
        assistant('Let me look.'),
        call('call_a', 'tide', { port: 'Rye' }),
        call('call_b', 'tide', { port: 'Hull' }),
      ];
      const [first, second] = [
        output('call_a', 'tide', 'six', { step: 'Sea/tide/x', timestamp: 't' }),
        output('call_b', 'tide', { high: 'nine' }, { error: 'error' }),
      ];
      await ask([...calls, first, second], { tools: [tide] });
      await ask([...calls, second, first], { tools: [tide] });
      const [inOrder, other] = stage.requests();
      if (!inOrder) return;
      assert.deepEqual(other, inOrder);
      const made = inOrder.turns.flatMap((turn) => turn.calls);
      const results = inOrder.turns.flatMap((turn) => turn.results);
      assert.deepEqual(
        made.map(({ name, arguments: args }) => ({ name, args })),
        [
          { name: 'tide', args: { port: 'Rye' } },
          { name: 'tide', args: { port: 'Hull' } },
        ],
      );
      assert.deepEqual(results, [
        { id: made[0]?.id, text: 'six' },
        { id: made[1]?.id, text: '{"high":"nine"}' },
      ]);
      assert.ok(inOrder.turns.some(({ role, texts }) => role === 'assistant' && texts.includes('Let me look.')));
      assert.doesNotMatch(JSON.stringify(inOrder), /Sea\/tide|timestamp/);
    },
  },
  {
    name: 'keeps arguments that are no JSON as the text that they are, and can send them back',
    needs: can('tools'),
    replies: [{ calls: [{ name: 'tide', arguments: '{"port": ', id: 'call_a' }] }, { text: 'sorry' }],
    check: async (stage, ask) => {
      const { calls } = await ask([user('go')], { tools: [tide] });
      assert.equal(calls[0]?.arguments, '{"port": ');
      await ask(
        [
          user('go'),
          call('call_a', 'tide', '{"port": '),
          output('call_a', 'tide', 'no JSON', { error: 'invalid_arguments' }),
        ],
        { tools: [tide] },
      );
      assert.match(JSON.stringify(seen(stage) ?? 'no JSON'), /no JSON/);
    },
  },
  {
    name: 'takes tools whose names the provider would refuse, and calls them by their own',
    needs: can('tools'),
    replies: [{ text: 'ok' }],
    check: async (stage, ask) => {
      const odd = { ...tide, name: 'sea.tide times/ß' };
      const long = { ...tide, name: `sea_${'a'.repeat(90)}` };
      await ask([user('go'), call('call 1|x', odd.name, { port: 'Rye' }), output('call 1|x', odd.name, 'six')], { tools: [odd, long] });
      const request = seen(stage);
      if (!request) return;
      assert.equal(new Set(request.tools.map(({ name }) => name)).size, 2);
      const [made] = request.turns.flatMap((turn) => turn.calls);
      assert.equal(made?.name, request.tools[0]?.name);
      assert.deepEqual(request.turns.flatMap((turn) => turn.results), [{ id: made?.id, text: 'six' }]);
    },
  },
];
