import { backends, type WireBackend } from '@colophon/backends';
import { rules, type WireName } from '@colophon/backends/testing';
import type { Chat, Message } from '@colophon/chat-format';
import { preparePrompt } from '@colophon/prompt-strategies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { options, tide } from './wire-helpers.js';

const numRuns = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 400;

const names: WireName[] = ['responses', 'openai', 'anthropic', 'ollama', 'bedrock', 'google'];
const all = await Promise.all(names.map(async (name) => ({ name, backend: (await backends[name]()) as WireBackend })));

const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n',
    'go',
    'assistant: yes',
    '```\nsystem: x',
    '\ud800',
    'a\u0000b',
    '{"role":"tool"}',
    'x \n',
  ),
  fc.string({ maxLength: 12 }),
);

const ids = fc.oneof(
  fc.constantFrom('a', 'b', 'fc_a', 'call|1', 'call 1', 'ä', `long_${'x'.repeat(80)}`),
  fc.string({ minLength: 1, maxLength: 4 }),
);

const toolNames = fc.constantFrom('tide', 'sea.tide', 'Ebb & flow', `long_${'n'.repeat(90)}`);

const argumentValues = fc.oneof(
  fc.constantFrom<unknown>({}, { port: 'Rye' }, '{"port":"Rye"}', '{"port": ', '', null, 7, ['x'], {
    cache_control: 1,
    type: 'thinking',
  }),
  fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })),
);

const outputs = (id: string, index: number): fc.Arbitrary<Message> =>
  fc
    .record({
      content: fc.oneof(texts, fc.jsonValue({ maxDepth: 1 })),
      error: fc.constantFrom(undefined, 'error', 'truncated'),
    })
    .map((fields) => ({
      role: 'function_call_output',
      content: JSON.stringify({ id, name: 'tide', ...fields, step: `Sea/tide/${index}` }),
    }));

const carries = fc.constantFrom<unknown>(
  undefined,
  { backend: 'anthropic', kept: { blocks: [{ type: 'thinking', thinking: 't', signature: 's' }] } },
  { backend: 'anthropic', kept: { blocks: [{ type: 'redacted_thinking', data: 'd' }], prefix: 'of another request' } },
  { backend: 'responses', kept: [{ type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'e' }] },
  { backend: 'openai', kept: { reasoning_content: 'r' } },
  { backend: 'ollama', kept: 'r' },
  { backend: 'bedrock', kept: [{ reasoningContent: { reasoningText: { text: 't', signature: 's' } } }] },
  { backend: 'google', kept: { signature: 's' } },
);

/** Calls that were made together, and the outputs of those that ended, in the order in which they ended. */
const groups = ({ whole }: { whole: boolean }): fc.Arbitrary<Message[]> =>
  fc
    .array(fc.record({ id: ids, name: toolNames, arguments: argumentValues, ended: fc.boolean(), carry: carries }), {
      minLength: 1,
      maxLength: 4,
    })
    .chain((calls) => {
      const made = calls.map(({ id, name, arguments: args, carry }) => ({
        role: 'function_call',
        content: JSON.stringify({ name, arguments: args, id }),
        ...(carry ? { carry } : {}),
      }));
      const ended = calls.filter((call) => whole || call.ended).map(({ id }, index) => outputs(id, index));
      return fc
        .tuple(...ended)
        .chain((list) =>
          fc.shuffledSubarray(list, { minLength: list.length }).map((shuffled) => [...made, ...shuffled]),
        );
    });

const single: fc.Arbitrary<Message[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('user', 'assistant', 'system'), texts)
      .map(([role, content]): Message[] => [{ role, content }]),
  },
  { weight: 1, arbitrary: fc.constant<Message[]>([{ role: 'image', content: 'data:image/png;base64,AAAA' }]) },
  { weight: 1, arbitrary: fc.constant<Message[]>([{ role: 'meta', content: 'pt=1 inference_id=x' }]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Message[]>(
      [{ role: 'function_call', content: 'no JSON' }],
      [{ role: 'function_call_output', content: '{"id":"nobody","content":"x"}' }],
      [{ role: 'function_call_output', content: 'no JSON' }],
    ),
  },
);

const chats = fc
  .array(fc.oneof(single, groups({ whole: false })), { maxLength: 10 })
  .map((parts): Chat => parts.flat());

const strategies = fc.constantFrom('none', 'shorten_tools', 'shorten_tools_epoch', 'shorten_tools_epoch_increment');

const thresholds = {
  full_tool_outputs: 1,
  max_tool_outputs: 3,
  max_tool_calls: 3,
  max_tool_chars: 20,
  epoch_tool_call_threshold: 2,
  epoch_full_tool_calls: 1,
  epoch_compacted_tool_calls: 2,
  epoch_size: 2,
};

const anthropicParameters = fc.constantFrom<Record<string, unknown>>(
  {},
  { thinking: 2048 },
  { thinking: 'adaptive' },
  { thinking: 'disabled' },
  { tool_choice: 'required' },
);

const formats = fc.constantFrom(
  undefined,
  { kind: 'json_object' as const },
  {
    kind: 'json_schema' as const,
    name: 'response',
    schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  },
  {
    kind: 'json_schema' as const,
    name: 'response',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
);

/** What stands on the wire of a request as the backend's SDK takes it. */
const toWire = (name: WireName, body: Record<string, unknown>): Record<string, unknown> => {
  const { modelId: _, ...converse } = body;
  if (name === 'bedrock') return converse;
  return name === 'google' ? { contents: body['contents'] } : body;
};

describe.each(all)('$name', ({ name, backend }) => {
  test('takes every prompt that was prepared', async () => {
    const tools = [tide, { ...tide, name: 'sea.tide' }, { ...tide, name: 'sea_tide' }];
    await fc.assert(
      fc.asyncProperty(
        chats,
        strategies,
        name === 'anthropic' ? anthropicParameters : fc.constant({}),
        formats,
        fc.boolean(),
        async (chat, strategy, parameters, format, withTools) => {
          const { chat: prompt, boundaries } = await preparePrompt(chat, strategy, { options: thresholds });
          let body: Record<string, unknown>;
          try {
            body = await backend.toRequest(
              prompt,
              withTools ? tools : [],
              options({ model: 'claude-sonnet-4-5', boundaries, parameters, ...(format ? { format } : {}) }),
            );
          } catch (error) {
            expect(error).toMatchObject({ code: 'nothing_to_ask' });
            return;
          }
          const onTheWire = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
          expect(rules[name](toWire(name, onTheWire))).toEqual([]);
        },
      ),
      { numRuns },
    );
  }, 600_000);

  test('grows by what is added: what was sent stays the beginning of what is sent', async () => {
    const turn = fc
      .tuple(
        texts.filter((text) => text.trim() !== ''),
        fc.array(groups({ whole: true }), { maxLength: 2 }),
      )
      .map(([content, rounds]): Chat => [{ role: 'user', content }, ...rounds.flat()]);
    const flat = (body: Record<string, unknown>): unknown[] => {
      const items = (body['messages'] ?? body['input'] ?? body['contents']) as {
        role?: string;
        content?: unknown;
        parts?: unknown;
      }[];
      return ['anthropic', 'bedrock', 'google'].includes(name)
        ? items.flatMap(({ role, content, parts }) =>
            ((content ?? parts) as unknown[]).map((block) => ({ role, block })),
          )
        : items;
    };
    const withoutCarry = (chat: Chat): Chat => chat.map(({ carry: _, ...message }) => message as Message);
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), turn, async (before, added) => {
        const first = (await preparePrompt(withoutCarry(before.flat()), 'none')).chat;
        const second = (await preparePrompt(withoutCarry([...before, added].flat()), 'none')).chat;
        const sent = flat(await backend.toRequest(first, [], options()));
        const next = flat(await backend.toRequest(second, [], options()));
        expect(next.slice(0, sent.length)).toEqual(sent);
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  }, 600_000);
});
