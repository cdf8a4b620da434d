import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseChat, parseMeta, sumTokens, tokenFields } from '@colophon/chat-format';
import { buildGraph, type Graph, nodeId, type TokenEvent, tokenEvents, tokenTotals } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type Files, memoryReader } from './memory-reader.js';
import { evenSession, receiptText, runs, type Session, session, sessionPlan, toSession } from './sessions.js';

vi.setConfig({ testTimeout: 600_000 });

const graphOf = ({ files, root }: Pick<Session, 'files' | 'root'>, reader = memoryReader(files)): Promise<Graph> =>
  buildGraph(root, { reader });

const eventsOf = async (made: Pick<Session, 'files' | 'root'>): Promise<TokenEvent[]> =>
  tokenEvents(await graphOf(made)).events;

const always = (law: (made: Session) => Promise<void>, numRuns = runs, made = session): Promise<void> =>
  fc.assert(fc.asyncProperty(made, law), { numRuns });

const chatsOf = (graph: Graph): string[] => graph.nodes.filter(({ kind }) => kind === 'chat').map(({ path }) => path);

describe('totals', () => {
  test('are the sums of what each inference says of itself in the first place that has it', () =>
    always(async ({ files, root }) => {
      const graph = await graphOf({ files, root });
      const first = new Map<string, Record<string, unknown>>();
      let pieces = 0;
      const note = (meta: Record<string, unknown>) => {
        if (meta['job'] !== undefined || !tokenFields.some((field) => field in meta)) return;
        const id = String(meta['inference_id'] ?? meta['provider_response_id'] ?? 'the shared record without an id');
        pieces += 1;
        if (!first.has(id)) first.set(id, meta);
      };
      const chats = chatsOf(graph).map((path) => parseChat(files[path]!));
      for (const chat of chats) for (const { role, content } of chat) if (role === 'meta') note(parseMeta(content));
      for (const chat of chats)
        for (const { role, content } of chat)
          if (role === 'function_call_output') JSON.parse(content).meta.forEach(note);
      const { events } = tokenEvents(graph);
      const { unknown, ...totals } = tokenTotals(events);
      const expected = sumTokens(first.values());
      expect(totals).toEqual({ ...Object.fromEntries(tokenFields.map((field) => [field, 0])), ...expected });
      expect(unknown).toEqual(tokenFields.filter((field) => expected[field] === undefined));
      expect(events.length).toBe(first.size);
      expect(events.flatMap(({ evidence }) => evidence)).toHaveLength(pieces);
    }));

  test('add up: what chats have and what only receipts have are all there is', () =>
    always(async (made) => {
      const events = await eventsOf(made);
      const [all, chats, receipts, only] = (
        ['deduplicated_total', 'chat_evidence', 'receipt_evidence', 'receipt_only'] as const
      ).map((scope) => tokenTotals(events, scope));
      for (const field of tokenFields) {
        expect(chats![field] + only![field]).toBe(all![field]);
        expect(chats![field] + receipts![field]).toBeGreaterThanOrEqual(all![field]);
      }
      expect(all).toEqual({ ...all, ...sumTokens(events.map(({ tokens }) => tokens)) });
    }));

  test('stay the same where a chat is copied beside another, or a receipt is repeated', () =>
    always(
      async ({ files, root }) => {
        const graph = await graphOf({ files, root });
        const before = tokenTotals(tokenEvents(graph).events);
        const copied: Files = { ...files };
        for (const [index, path] of chatsOf(graph).entries())
          copied[`${root}.files/copy${index}.chat`] = `${files[path]!}\n`;
        expect(tokenTotals(await eventsOf({ files: copied, root }))).toEqual(before);
        const records = tokenEvents(graph)
          .events.filter(({ identity: [kind] }) => kind !== 'lineage')
          .map(({ evidence: [{ meta }] }) => meta);
        const repeated: Files = { ...files, [root]: `${files[root]!}\n\n${receiptText('again', records)}` };
        expect(tokenTotals(await eventsOf({ files: repeated, root }))).toEqual(before);
      },
      runs,
      evenSession,
    ));
});

describe('the graph', () => {
  test('tells each node once, each edge once, and only edges between nodes', () =>
    always(async (made) => {
      const { nodes, edges, root } = await graphOf(made);
      const ids = new Set(nodes.map(({ id }) => id));
      expect(ids.size).toBe(nodes.length);
      expect(nodes.every(({ kind, path, id }) => id === nodeId(kind, path))).toBe(true);
      expect(new Set(edges.map((edge) => JSON.stringify(edge))).size).toBe(edges.length);
      expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
      const reached = new Set([root.id, ...edges.map(({ to }) => to)]);
      expect(reached.size).toBe(nodes.length);
    }));

  test('does not follow the order of files on disk, and is the same each time', () =>
    fc.assert(
      fc.asyncProperty(session, fc.array(fc.nat(), { minLength: 7, maxLength: 7 }), async ({ files, root }, keys) => {
        const shuffled = memoryReader(files, (entries) =>
          entries
            .map((entry, index) => ({ entry, key: (keys[index % 7]! * 31 + index * keys[0]!) % 97 }))
            .sort((a, b) => a.key - b.key)
            .map(({ entry }) => entry),
        );
        const graph = await graphOf({ files, root });
        const other = await graphOf({ files, root }, shuffled);
        expect(other).toEqual(graph);
        expect(tokenEvents(other)).toEqual(tokenEvents(graph));
      }),
      { numRuns: runs },
    ));

  test('says nothing of a relation that is not followed, and no more of the others', () =>
    always(async ({ files, root }) => {
      const all = await graphOf({ files, root });
      const some = await buildGraph(root, { reader: memoryReader(files), follow: ['log', 'job'] });
      const known = new Set(all.edges.map((edge) => JSON.stringify(edge)));
      expect(
        some.edges.every(
          (edge) => (edge.relation === 'log' || edge.relation === 'job') && known.has(JSON.stringify(edge)),
        ),
      ).toBe(true);
    }, runs / 5));
});

test('every amount leads to a message, or an entry of one, that says it', () =>
  always(async ({ files, root }) => {
    for (const { evidence, tokens } of await eventsOf({ files, root })) {
      for (const [index, { source, address }] of evidence.entries()) {
        const message = parseChat(files[source]!)[address[1]]!;
        const meta = address.length === 2 ? parseMeta(message.content) : JSON.parse(message.content).meta[address[3]];
        expect(message.role).toBe(address.length === 2 ? 'meta' : 'function_call_output');
        if (index === 0) expect(sumTokens([meta])).toEqual(tokens);
      }
    }
  }));

const write = async (files: Files): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
};

const snapshot = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const facts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, ctimeMs, size, ino } = await stat(path);
    return `${path} ${mtimeMs} ${ctimeMs} ${size} ${ino} ${entry.isFile() ? await readFile(path, 'utf8') : ''}`;
  });
  return (await Promise.all(facts)).sort();
};

describe('on disk', () => {
  test('reading changes nothing, memory and disk say the same, and a moved session says the same but for paths', () =>
    fc.assert(
      fc.asyncProperty(sessionPlan, async (plan) => {
        const outer = await realpath(await mkdtemp(join(tmpdir(), 'provenance-')));
        try {
          const { folder, root, files } = toSession(plan, join(outer, 'first'));
          await write(files);
          const before = await snapshot(outer);
          const report = async (at: string) => {
            const graph = await buildGraph(at, { reader: nodeReader() });
            const text = JSON.stringify([graph, tokenEvents(graph)], (key, value) =>
              ['modified', 'workflow', 'task', 'cleanName', 'job', 'message'].includes(key) ? undefined : value,
            );
            return text.replaceAll(join(outer, 'second'), folder);
          };
          const first = await report(root);
          expect(await snapshot(outer)).toEqual(before);
          const kept = await graphOf({ files, root });
          expect(kept.nodes.map(({ id }) => id)).toEqual((JSON.parse(first)[0] as Graph).nodes.map(({ id }) => id));
          await rename(folder, join(outer, 'second'));
          expect(await report(join(outer, 'second/root.chat'))).toBe(first);
        } finally {
          await rm(outer, { recursive: true, force: true });
        }
      }),
      { numRuns: Math.ceil(runs / 30) },
    ));
});
