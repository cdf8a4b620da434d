import { type Chat, type Meta, parseChat, parseMeta, printCall, printChat, printMeta } from '@colophon/chat-format';
import { preparePrompt } from '@colophon/prompt-strategies';
import { describe, expect, test } from 'vitest';
import epochs from './golden/epochs.json' with { type: 'json' };
import metas from './golden/meta.json' with { type: 'json' };
import chats from './golden/parse.json' with { type: 'json' };

describe('chat texts read as they always did, and survive being printed', () => {
  test.each(chats.map((item, index) => ({ ...item, index })))('chat $index', ({ text, messages }) => {
    const read = parseChat(text);
    expect(read).toEqual(messages);
    expect(parseChat(printChat(read))).toEqual(read);
  });
});

describe('records read as they always did, and come back from print', () => {
  test.each(metas.map((item) => ({ ...item, meta: item.meta as unknown as Meta })))(
    '$text',
    ({ meta, text, parsed }) => {
      expect(parseMeta(text)).toEqual(parsed);
      expect(parseMeta(printMeta(meta))).toEqual(parsed);
    },
  );
});

describe('epochs keep, shorten and drop the same calls', () => {
  const pad = 'p'.repeat(300);
  const output = 'o'.repeat(900);

  /** One user message, and a call with its output for each argument; equal arguments are a repeated call. */
  const historyOf = (values: number[]): Chat => [
    { role: 'user', content: 'Load them all.' },
    ...values.flatMap((n, index) => [
      { role: 'function_call', content: printCall({ name: 'load', arguments: { n, pad }, id: `c${index}` }) },
      { role: 'function_call_output', content: JSON.stringify({ name: 'load', content: output, id: `c${index}` }) },
    ]),
  ];

  const cases = epochs.flatMap(({ config, arguments: values, expect: expected }, index) =>
    Object.entries(expected).map(([strategy, classes]) => ({ index, strategy, config, values, classes })),
  );

  test.each(cases)('history $index, $strategy', async ({ strategy, config, values, classes }) => {
    const history = historyOf(values);
    const { chat } = await preparePrompt(history, strategy, { options: config });
    const contents = new Map(
      chat
        .filter(({ role }) => role === 'function_call_output')
        .map(({ content }) => [JSON.parse(content).id as string, content]),
    );
    const found: Record<string, string[]> = { full: [], compacted: [], dropped: [] };
    for (const [index, { content }] of history.filter(({ role }) => role === 'function_call_output').entries()) {
      const id = `c${index}`;
      const now = contents.get(id);
      found[now === content ? 'full' : now === undefined ? 'dropped' : 'compacted']?.push(id);
    }
    expect(found).toEqual(classes);
  });
});
