import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { backends, type Delta, type Reply, type WireBackend } from '@colophon/backends';
import { scriptedServer, type WireName } from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';

type Recorded = { source: string; body: unknown; events?: unknown[] };

const folder = fileURLToPath(new URL('./recorded/', import.meta.url));
/** The wire format of each backend that replies were recorded of. */
const wires = {
  openai: 'openai',
  responses: 'responses',
  anthropic: 'anthropic',
  ollama: 'ollama',
  vllm: 'openai',
  openwebui: 'openai',
  glm: 'openai',
  huggingface: 'openai',
  bedrock: 'bedrock',
  google: 'google',
} as const satisfies Partial<Record<keyof typeof backends, WireName>>;

type Name = keyof typeof wires;

const names = Object.keys(wires) as Name[];
const byName = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await backends[name]()] as const)),
) as Record<Name, WireBackend>;

/** A tool by whose name replies call. */
const offered = [{ name: 'tide', description: '', parameters: { type: 'object' }, run: () => null }];

const shown = (reply: Reply): string => `${JSON.stringify(reply, null, 2)}\n`;

/** What the SDK makes of the recorded reply when it comes over the wire. */
const overTheWire = async (
  name: Name,
  record: Recorded,
  streamed: boolean,
): Promise<{ reply: Reply; deltas: Delta[] }> => {
  const server = await scriptedServer([{ body: record.body, ...(record.events ? { events: record.events } : {}) }]);
  const backend = byName[name];
  const deltas: Delta[] = [];
  try {
    const client = await backend.client?.({ key: 'k', url: server.urls[wires[name]], maxRetries: 0 });
    const request = await backend.toRequest([{ role: 'user', content: 'go' }], [], {
      model: 'm',
      parameters: {},
      boundaries: [],
    });
    const raw = await backend.send(request, client, streamed ? { onDelta: (delta) => deltas.push(delta) } : {});
    return { reply: backend.fromReply(raw, { tools: offered }), deltas };
  } finally {
    await server.close();
  }
};

// The digest of the request is no part of what was recorded.
const withoutPrefix = (reply: Reply): Reply =>
  JSON.parse(JSON.stringify(reply, (key, value) => (key === 'prefix' ? undefined : value))) as Reply;

describe.each(names)('recorded replies of %s', (backend) => {
  const files = readdirSync(folder + backend).filter(
    (name) => name.endsWith('.json') && !name.endsWith('.expected.json'),
  );
  test.each(files)('%s', async (name) => {
    const record = JSON.parse(readFileSync(`${folder}${backend}/${name}`, 'utf8')) as Recorded;
    expect(record.source).not.toBe('');
    const reply = byName[backend].fromReply(record.body, { tools: offered });
    await expect(shown(reply)).toMatchFileSnapshot(`${folder}${backend}/${name.replace('.json', '.expected.json')}`);
    if (!Array.isArray(record.body))
      expect(withoutPrefix((await overTheWire(backend, record, false)).reply)).toEqual(JSON.parse(shown(reply)));
    if (!record.events) return;
    const streamed = await overTheWire(backend, record, true);
    const { id: _, ...same } = JSON.parse(shown(reply)) as Reply;
    const { id: __, ...got } = withoutPrefix(streamed.reply);
    expect(got).toEqual(same);
    expect(streamed.deltas.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])).join('')).toBe(
      reply.messages.map(({ content }) => content).join(''),
    );
  });
});
