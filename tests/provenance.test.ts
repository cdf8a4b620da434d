import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import {
  buildGraph,
  type FolderEntry,
  type Graph,
  type Reader,
  renders,
  type TokenScope,
  tokenEvents,
  tokenScopes,
  tokenTotals,
} from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { describe, expect, test } from 'vitest';
import trees from './golden/session-trees.json' with { type: 'json' };
import sessions from './golden/sessions.json' with { type: 'json' };

// `UPDATE=1 npx vitest run --project repository tests/provenance.test.ts` writes what the package gives now; read the difference first.
const update = process.env['UPDATE'] === '1';

const placeholder = '{{ROOT}}';

const inFolder = async <Result>(use: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'provenance-')));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const layOut = async (folder: string, files: Record<string, string>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.replaceAll(placeholder, folder));
  }
};

const count = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

const totalsOf = (events: Parameters<typeof tokenTotals>[0]) =>
  Object.fromEntries(
    Object.keys(tokenScopes).map((scope) => {
      const { unknown: _, ...totals } = tokenTotals(events, scope as TokenScope);
      return [scope, totals];
    }),
  );

describe('sessions are counted as they always were', () => {
  test.each(sessions)('$generate', async ({ generate, totals, events, graph }) => {
    const files = trees.find((tree) => tree.generate === generate)!.files as unknown as Record<string, string>;
    await inFolder(async (folder) => {
      await layOut(folder, files);
      const built = await buildGraph(join(folder, 'root.chat'), { reader: nodeReader() });
      const found = tokenEvents(built);
      expect(totalsOf(found.events)).toEqual(totals.totals);
      expect({
        events: found.events.length,
        multi: found.events.filter(({ evidence }) => evidence.length > 1).length,
        conflicts: found.events.filter(({ conflict }) => conflict).length,
        incomplete: found.events.filter(({ incompleteEvidence }) => incompleteEvidence).length,
      }).toEqual(events);
      expect(built.edges.length).toBe(graph.edges);
      expect(count(built.edges.map(({ relation }) => relation))).toEqual(graph.by_relation);
      expect([...built.warnings, ...found.warnings]).toEqual([]);
    });
  });
});

// Reports tell when files were written.
const written = new Date('2026-12-01T09:30:00Z');
const now = () => new Date('2026-12-01T09:30:15Z');

const cases = fileURLToPath(new URL('../fixtures/provenance/', import.meta.url));

/** `links`: made before it is read, with what they lead to; `tasks`: reports that are compared, too. */
type Case = {
  root?: string;
  follow?: string[];
  roots?: string[];
  links?: Record<string, string>;
  tasks?: string[];
};

/** Copies a case below a folder: `{{ROOT}}` in its texts becomes the folder, `links` of its `case.json` are made. */
const copyCase = async (name: string, folder: string): Promise<Case> => {
  const source = join(cases, name);
  await cp(join(source, 'files'), folder, { recursive: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const bytes = await readFile(path);
    if (bytes.includes(placeholder)) await writeFile(path, bytes.toString('utf8').replaceAll(placeholder, folder));
    await utimes(path, written, written);
  }
  const file = join(source, 'case.json');
  const options: Case = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const [link, target] of Object.entries(options.links ?? {})) {
    await mkdir(dirname(join(folder, link)), { recursive: true });
    await symlink(target.replaceAll(placeholder, folder), join(folder, link));
  }
  return options;
};

/** What a case says: the graph, the events, the totals and the warnings, in a form that is short to read. */
const reportOf = (graph: Graph) => {
  const { events, warnings } = tokenEvents(graph);
  return {
    nodes: graph.nodes.map((node) =>
      node.kind === 'chat' ? node.id : `${node.id} ${node.missing ? 'missing' : node.facts.status}`,
    ),
    edges: graph.edges.map(({ from, relation, to, detail }) =>
      [
        from,
        relation,
        to,
        ...(detail ? [`by ${detail.toolName} ${detail.callId} ${detail.evidenceAddress.join(' ')}`] : []),
      ].join(' → '),
    ),
    events: events.map(({ identity, tokens, evidence, conflict, incompleteEvidence, unresolved }) => ({
      identity: identity[0] === 'lineage' ? 'lineage' : [...identity].flat().join(' '),
      tokens,
      evidence: evidence.map(({ origin, address }) => `${origin} ${address.join(' ')}`),
      ...(conflict ? { conflict } : {}),
      ...(incompleteEvidence ? { incompleteEvidence } : {}),
      ...(unresolved ? { unresolved } : {}),
    })),
    totals: totalsOf(events),
    warnings: [...graph.warnings, ...warnings].map(({ code, address }) => `${code} ${[address].flat().join(' ')}`),
  };
};

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Compares with a file of the case; one without it fails. */
const expectFile = (file: string, actual: string): void => {
  if (update) writeFileSync(file, `${actual}\n`);
  if (!existsSync(file)) throw new Error(`${file} is missing. Write it with UPDATE=1, and read it before you keep it.`);
  expect(`${actual}\n`, file).toBe(readFileSync(file, 'utf8'));
};

describe('what came from what in small sessions', () => {
  test.each(readdirSync(cases))('%s', async (name) => {
    await inFolder(async (outer) => {
      const folder = join(outer, 'session');
      const { root = 'root.chat', follow, roots: named = [], tasks: reported = [] } = await copyCase(name, folder);
      const file = join(folder, root);
      const roots = named.map((path) => join(folder, path));
      const graph = await buildGraph(file, { reader: nodeReader({ roots }), follow });
      const { events } = tokenEvents(graph);
      const context = nodeAnalystContext({ workingDirectory: folder, roots, now });
      const report = (task: string) => runTask(task, { file }, context, tasks);
      const forms: Record<string, string> = {
        'expected.json': toJson(reportOf(graph)),
        'expected.tree.txt': renders.tree(graph, events, {}),
        'expected.evidence.txt': renders.evidence(graph, events, {}),
        ...Object.fromEntries(
          await Promise.all(
            reported.map(async (task) => [`expected.${task}.json`, toJson(await report(task))] as const),
          ),
        ),
      };
      for (const [form, text] of Object.entries(forms))
        expectFile(
          join(cases, name, form),
          text.replaceAll(`${folder}/`, '').replaceAll(folder, '.').replaceAll(outer, '..'),
        );
    });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: reports are checked by the schemas of their tasks
type Report = any;

/** The total of a session as each form says it; `follow` as the case has it. */
const totalsSaid = async (name: string, folder: string): Promise<Record<string, number>> => {
  const { root = 'root.chat', follow, roots: named = [] } = await copyCase(name, folder);
  const file = join(folder, root);
  const roots = named.map((path) => join(folder, path));
  const graph = await buildGraph(file, { reader: nodeReader({ roots }), follow });
  const { events } = tokenEvents(graph);
  const context = nodeAnalystContext({ workingDirectory: folder, roots, now });
  const report = (task: string): Promise<Report> =>
    runTask(task, { file, ...(follow ? { follow } : {}) }, context, tasks);
  const { nodes, totals } = JSON.parse(renders.json(graph, events, {}));
  const { tokens, delegation } = await report('chat_report');
  const split = [delegation.root_chat_tokens, delegation.delegated_tokens, delegation.unattributed_tokens];
  return {
    tokenTotals: tokenTotals(events).tt,
    tree: Number(/^root deduplicated_total=(\d+) /m.exec(renders.tree(graph, events, {}))?.[1]),
    evidence: Number(/^sum +(?:total=(\d+))?/m.exec(renders.evidence(graph, events, {}))?.[1] ?? 0),
    json: totals.deduplicated_total.tt,
    nodes: nodes.reduce((sum: number, { direct }: Report) => sum + (direct?.tt ?? 0), 0),
    chat_tokens: (await report('chat_tokens')).deduplicated_total.tt,
    chat_report: tokens.deduplicated_total.tt,
    split: split.reduce((sum, { tt }) => sum + tt, 0),
    ...(graph.root.kind === 'job'
      ? {}
      : { chat_accounting: (await report('chat_accounting')).entries.at(-1).tokens.tt }),
  };
};

test.each(readdirSync(cases))('one question has one number: %s', async (name) => {
  await inFolder(async (folder) => {
    const said = await totalsSaid(name, join(folder, 'session'));
    expect(said).toEqual(Object.fromEntries(Object.keys(said).map((form) => [form, said['tokenTotals']])));
  });
});

const byName = (one: FolderEntry, other: FolderEntry): number => (one.name < other.name ? -1 : 1);

test.each(readdirSync(cases))('the order in which folders list their files does not matter: %s', async (name) => {
  await inFolder(async (folder) => {
    const { root = 'root.chat', follow, roots = [] } = await copyCase(name, join(folder, 'session'));
    const reader = nodeReader({ roots: roots.map((path) => join(folder, 'session', path)) });
    const reversed = { ...reader, list: async (path: string) => (await reader.list(path))?.sort(byName).reverse() };
    const sorted = { ...reader, list: async (path: string) => (await reader.list(path))?.sort(byName) };
    const report = async (by: Reader) =>
      reportOf(await buildGraph(join(folder, 'session', root), { reader: by, follow }));
    expect(await report(reversed)).toEqual(await report(sorted));
  });
});

test('each of these sessions is told of in the README', () => {
  const page = readFileSync(fileURLToPath(new URL('../fixtures/README.md', import.meta.url)), 'utf8');
  expect(readdirSync(cases).filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([]);
});
