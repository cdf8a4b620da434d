import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { backends, type Delta, type Reply, type WireBackend } from '@colophon/backends';
import { scriptedServer, type WireName } from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';

type Recorded = { source: string; body: unknown; events?: unknown[] };

const folder = fileURLToPath(new URL('./recorded/', import.meta.url));
const byName: Record<WireName, WireBackend> = {
  openai: await backends.openai(),
  responses: await backends.responses(),
  anthropic: await backends.anthropic(),
  ollama: await backends.ollama(),
};

const shown = (reply: Reply): string => `${JSON.stringify(reply, null, 2)}\n`;

/** What the SDK makes of the recorded reply when it comes over the wire. */
const overTheWire = async (
  wire: WireName,
  record: Recorded,
  streamed: boolean,
): Promise<{ reply: Reply; deltas: Delta[] }> => {
  const server = await scriptedServer([{ body: record.body, ...(record.events ? { events: record.events } : {}) }]);
  const backend = byName[wire];
  const deltas: Delta[] = [];
  try {
    const client = await backend.client?.({ key: 'k', url: server.urls[wire], maxRetries: 0 });
    const request = await backend.toRequest([{ role: 'user', content: 'go' }], [], {
      model: 'm',
      parameters: {},
      boundaries: [],
    });
    const raw = await backend.send(request, client, streamed ? { onDelta: (delta) => deltas.push(delta) } : {});
    return { reply: backend.fromReply(raw), deltas };
  } finally {
    await server.close();
  }
};

// The digest of the request is no part of what was recorded.
const withoutPrefix = (reply: Reply): Reply =>
  JSON.parse(JSON.stringify(reply, (key, value) => (key === 'prefix' ? undefined : value))) as Reply;

describe.each(Object.keys(byName) as WireName[])('recorded replies of %s', (wire) => {
  const names = readdirSync(folder + wire).filter((name) => name.endsWith('.json') && !name.endsWith('.expected.json'));
  test.each(names)('%s', async (name) => {
    const record = JSON.parse(readFileSync(`${folder}${wire}/${name}`, 'utf8')) as Recorded;
    expect(record.source).not.toBe('');
    const reply = byName[wire].fromReply(record.body);
    await expect(shown(reply)).toMatchFileSnapshot(`${folder}${wire}/${name.replace('.json', '.expected.json')}`);
    if (!Array.isArray(record.body))
      expect(withoutPrefix((await overTheWire(wire, record, false)).reply)).toEqual(JSON.parse(shown(reply)));
    if (!record.events) return;
    const streamed = await overTheWire(wire, record, true);
    const { id: _, ...same } = JSON.parse(shown(reply)) as Reply;
    const { id: __, ...got } = withoutPrefix(streamed.reply);
    expect(got).toEqual(same);
    expect(streamed.deltas.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])).join('')).toBe(
      reply.messages.map(({ content }) => content).join(''),
    );
  });
});
