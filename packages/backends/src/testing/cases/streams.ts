import assert from 'node:assert/strict';
import type { Delta, StopReason } from '../../backend.js';
import type { ScriptedContent } from '../wire.js';
import { can, type Rule, tide, user } from './case.js';

const spoken: ScriptedContent[] = [
  { text: 'High water is at six.', usage: { pt: 12, ct: 7 } },
  { text: 'Zwölf Boxkämpfer 🥊 jagen — \n\n  "Viktor"\\n' },
  {
    text: 'Let me look.',
    calls: [{ name: 'tide', arguments: { port: 'Rye' }, id: 'call_a' }],
    usage: { pt: 20, ct: 9 },
  },
  {
    calls: [
      { name: 'tide', arguments: { port: 'Rye' }, id: 'call_a' },
      { name: 'tide', arguments: { port: 'Hull', deep: { list: [1, null, 'é'] } }, id: 'call_b' },
    ],
  },
  { reasoning: 'The port is Rye,\nso the table of Rye.', text: 'At six.', usage: { pt: 12, ct: 30, rt: 21 } },
];

/** A streamed reply is the reply. */
export const streamRules: Rule[] = spoken.map((content, index) => {
  const reply = { id: 'reply_1', signature: 'signed', ...content };
  return {
    name: `streams what it would have read at once (${index + 1})`,
    needs: can('streaming'),
    replies: [reply, { ...reply, split: 17 }],
    check: async (_stage, ask) => {
      const deltas: Delta[] = [];
      const whole = await ask([user('go')], { tools: [tide] });
      const streamed = await ask([user('go')], { tools: [tide], onDelta: (delta) => deltas.push(delta) });
      assert.deepEqual(streamed, whole);
      const told = (kind: Delta['kind']) => deltas.flatMap((delta) => (delta.kind === kind ? [delta.text] : [])).join('');
      assert.equal(told('text'), content.text ?? '');
      if (whole.reasoning !== undefined) assert.equal(told('reasoning'), content.reasoning ?? '');
    },
  };
});

/** Why a reply ended, for the reasons that its format can tell. */
export const stopRules = (reasons: readonly StopReason[]): Rule[] =>
  reasons
    .filter((reason) => reason !== 'tool_calls')
    .map((reason) => ({
      name: `tells the stop reason ${reason}`,
      replies: [{ text: 'So far', stopReason: reason }],
      check: async (_stage, ask) => {
        const reply = await ask([user('go')]);
        assert.equal(reply.stopReason, reason);
      },
    }));

