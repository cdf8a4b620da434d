import { backends, type Reply } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import type { Chat } from '@colophon/chat-format';
import { expect, test } from 'vitest';
import { call, options, output, system, tide, user } from './wire-helpers.js';

const anthropic = await backends.anthropic();

const thought: ScriptedReply = {
  reasoning: 'Rye.',
  signature: 'sig-1',
  calls: [{ name: 'tide', arguments: { port: 'Rye' }, id: 'toolu_1' }],
};

/** Asks by the real client; `next` sees the request that would follow. */
const session = async (
  replies: ScriptedReply[],
  run: (ask: (chat: Chat) => Promise<Reply>, server: Awaited<ReturnType<typeof scriptedServer>>) => Promise<void>,
) => {
  const server = await scriptedServer(replies);
  const client = await anthropic.client({ key: 'k', url: server.urls.anthropic, maxRetries: 0 });
  try {
    await run(
      async (chat) =>
        anthropic.fromReply(await anthropic.send(await anthropic.toRequest(chat, [tide], options()), client, {})),
      server,
    );
  } finally {
    await server.close();
  }
};

const recorded = ({ calls }: Reply): Chat => calls.map(({ id, arguments: args, carry }) => call(id, args, { carry }));

const old: Chat = [user('begin'), call('old'), output('old', 'a long output')];

test('thinking goes back where nothing before it has changed, whatever the cache marks say', async () => {
  await session([thought], async (ask) => {
    const chat: Chat = [system('s'), ...old, user('go')];
    const reply = await ask(chat);
    const next = [...chat, ...recorded(reply), output('toolu_1')];
    const body = await anthropic.toRequest(next, [tide], options({ boundaries: [1, 4] }));
    expect(body.messages.at(-2)).toMatchObject({
      content: [{ type: 'thinking', signature: 'sig-1' }, { type: 'tool_use' }],
    });
  });
});

test.each([
  [
    'an older output is shortened',
    (chat: Chat) =>
      chat.map((message) => (message.content.includes('a long output') ? output('old', 'a long…') : message)),
    [tide],
  ],
  ['a note is gone', (chat: Chat) => chat.filter(({ content }) => content !== 'go'), [tide]],
  ['the system text is another', (chat: Chat) => [system('other'), ...chat.slice(1)], [tide]],
  ['a tool was added', (chat: Chat) => chat, [tide, { ...tide, name: 'wind' }]],
])('thinking stays behind where %s', async (_, change, tools) => {
  await session([thought], async (ask) => {
    const chat: Chat = [system('s'), ...old, user('go')];
    const reply = await ask(chat);
    const body = await anthropic.toRequest([...change(chat), ...recorded(reply), output('toolu_1')], tools, options());
    expect(JSON.stringify(body)).not.toContain('sig-1');
    expect(body.messages.at(-2)).toMatchObject({ content: [{ type: 'tool_use' }] });
  });
});

test('later thinking goes back only with the earlier', async () => {
  const second: ScriptedReply = {
    ...thought,
    signature: 'sig-2',
    calls: [{ name: 'tide', arguments: {}, id: 'toolu_2' }],
  };
  await session([thought, second], async (ask, server) => {
    const chat: Chat = [...old, user('go')];
    const one = await ask(chat);
    const both: Chat = [...chat, ...recorded(one), output('toolu_1')];
    const two = await ask(both);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('sig-1');
    const next: Chat = [...both, ...recorded(two), output('toolu_2')];
    expect(JSON.stringify(await anthropic.toRequest(next, [tide], options()))).toMatch(/sig-1.*sig-2/);
    const shortened = next.map((message) =>
      message.content.includes('a long output') ? output('old', 'a…') : message,
    );
    expect(JSON.stringify(await anthropic.toRequest(shortened, [tide], options()))).not.toMatch(/sig-/);
  });
});

test("a pause in the provider's own tools is gone on from, and the reply is whole", async () => {
  const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
  const usage = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });
  const paused = {
    content: [{ type: 'text', text: 'I search.' }, search],
    stop_reason: 'pause_turn',
    usage: usage(10, 2),
  };
  const done = {
    content: [
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] },
      { type: 'text', text: 'Six.' },
    ],
    stop_reason: 'end_turn',
    usage: usage(20, 3),
  };
  await session([{ body: paused }, { body: done }], async (ask, server) => {
    const reply = await ask([user('go')]);
    expect(reply.messages.map(({ content }) => content)).toEqual(['I search.', 'Six.']);
    expect(reply).toMatchObject({ usage: { pt: 30, ct: 5 }, stopReason: 'stop' });
    expect(server.requests[1]?.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: paused.content },
    ]);
  });
});
