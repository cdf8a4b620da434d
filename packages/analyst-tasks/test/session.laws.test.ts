import { type AnalystContext, chatExtras, inputOf, runTask, tasks } from '@colophon/analyst-tasks';
import { pairToolCalls, parseChat } from '@colophon/chat-format';
import { buildGraph, renders, tokenEvents, tokenTotals } from '@colophon/provenance';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { memoryReader } from '../../provenance/test/memory-reader.js';
import { type Session, session } from '../../provenance/test/sessions.js';

vi.setConfig({ testTimeout: 600_000 });

// biome-ignore lint/suspicious/noExplicitAny: reports are checked by the schemas of their tasks
type Report = any;

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 30_000 : 300;
const fields = ['pt', 'ct', 'tt', 'cct', 'cwt', 'rt'] as const;
const six = (tokens: Report) => Object.fromEntries(fields.map((field) => [field, tokens[field]]));
const add = (...parts: Report[]) =>
  Object.fromEntries(fields.map((field) => [field, parts.reduce((sum, part) => sum + part[field], 0)]));

/** The context of a session in memory: its names of folders in another order where `shuffled`. */
const contextOf = ({ files, folder }: Session, shuffled = false): AnalystContext => {
  const reader = memoryReader(files, shuffled ? (entries) => [...entries].reverse() : undefined);
  return {
    workingDirectory: folder,
    roots: [],
    now: () => new Date(0),
    reader: {
      ...reader,
      chat: async (path) => {
        const read = await reader.chat(path);
        if (!read) return undefined;
        const chat = parseChat(files[path]!);
        return { ...read, facts: { ...read.facts, extra: chatExtras(chat, pairToolCalls(chat)) } };
      },
    },
    files: {
      stat: async (path) =>
        Object.hasOwn(files, path) ? { kind: 'file', size: files[path]!.length, modified: 0 } : undefined,
      list: async () => [],
      readText: async (path) => files[path],
      createFile: async () => expect.unreachable(),
    },
    findChat: async () => undefined,
    readJob: async () => ({ status: 'done', running: false, done: true }),
  };
};

const run = async (name: string, made: Session, input: object = {}, context = contextOf(made)): Promise<Report> =>
  runTask(name, { file: made.root, ...input }, context, tasks);

const always = (law: (made: Session) => Promise<void>) => fc.assert(fc.asyncProperty(session, law), { numRuns: runs });

test('one question has one number, and its parts add up', () =>
  always(async (made) => {
    const graph = await buildGraph(made.root, { reader: memoryReader(made.files) });
    const { events } = tokenEvents(graph);
    const total = six(tokenTotals(events));
    const report = await run('chat_report', made);
    const tokens = await run('chat_tokens', made);
    const { entries } = await run('chat_accounting', made);
    expect(six(report.tokens.deduplicated_total)).toEqual(total);
    expect(six(tokens.deduplicated_total)).toEqual(total);
    expect(six(entries[0].tokens)).toEqual(total);
    expect(six(JSON.parse(renders.json(graph, events, {})).totals.deduplicated_total)).toEqual(total);
    if (events.length > 0) expect(renders.evidence(graph, events, {})).toMatch(new RegExp(`\\b${total['tt']}\\b`));
    const { root_chat_tokens, delegated_tokens, unattributed_tokens } = report.delegation;
    expect(add(root_chat_tokens, delegated_tokens, unattributed_tokens)).toEqual(total);
    expect(add(tokens.chat_evidence, tokens.receipt_only)).toEqual(total);
    expect(six(entries[0].direct_tokens)).toEqual(six(root_chat_tokens));
    expect(six(entries[0].delegated_tokens)).toEqual(six(delegated_tokens));
  }));

test('delegations say of a job what the report says of it, and no more than all of them together', () =>
  always(async (made) => {
    const { delegation } = await run('chat_report', made);
    const { interactions } = await run('chat_agents', made);
    const known = new Map(delegation.subtrees.map(({ job, tokens }: Report) => [job, six(tokens)]));
    for (const { agent_job_edges: edges, delegated_token_total: sum } of interactions) {
      const jobs = new Set<string>(edges.map(({ to }: Report) => to));
      if (jobs.size === 1) expect(six(sum)).toEqual(known.get([...jobs][0]));
      else for (const job of jobs) expect(sum.tt).toBeGreaterThanOrEqual((known.get(job) as Report).tt);
    }
  }));

test('every amount leads to a record that is listed, and to a message that says it', () =>
  always(async (made) => {
    const context = contextOf(made);
    const { events } = await run('chat_tokens', made, {}, context);
    const { records } = await run('meta_evidence', made, { full: true }, context);
    const known = new Map<string, Report>(
      records.map((record: Report) => [JSON.stringify(record.meta_address ?? record.evidence_address), record.meta]),
    );
    for (const { canonical_address: place, tokens, evidence } of events) {
      for (const piece of evidence)
        expect(known.has(JSON.stringify(piece.meta_address ?? piece.evidence_address))).toBe(true);
      const meta = known.get(JSON.stringify(place));
      for (const field of fields) expect(tokens[field]).toBe(meta[field] ?? 0);
      const [message] = await run('message_content', made, { ids: [`${place[0]}#${place[1]}`] }, context);
      expect(message.content).toContain(String(tokens.tt));
    }
  }));

test('the order of files does not matter, and reports fit their schemas', () =>
  always(async (made) => {
    for (const task of Object.values(tasks)) {
      if (task.writes || task.name === 'extract_chat_range') continue;
      const input = 'ids' in inputOf(task).shape ? { ids: [`${made.root}#0`] } : {};
      const report = await run(task.name, made, input);
      expect(task.output.safeParse(report).error?.issues ?? [], task.name).toEqual([]);
      expect(await run(task.name, made, input, contextOf(made, true))).toEqual(report);
    }
  }));

test('pages and filters change no total', () =>
  always(async (made) => {
    const { calls, ...counts } = await run('chat_tool_calls', made, { dedupe: true });
    expect(calls.filter(({ copy_of: copy }: Report) => copy !== undefined)).toHaveLength(counts.copies);
    expect(calls).toHaveLength(counts.total);
    expect(await run('chat_tool_calls', made, { success: false, tool: 'ask', per_page: 1 })).toMatchObject({
      ...counts,
      // The page tells its own list; the field of the counts stands behind it.
      total: counts.total,
    });
    const { events, ...totals } = await run('chat_tokens', made);
    const paged = await run('chat_tokens', made, { page: 2, per_page: 1 });
    expect(paged).toMatchObject(totals);
    expect(paged.events).toEqual(events.slice(1, 2));
    expect((await run('chat_agents', made, { page: 9, per_page: 1 })).failed).toBe(
      (await run('chat_agents', made)).failed,
    );
  }));
