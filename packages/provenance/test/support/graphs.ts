import type { ChatFacts, Edge, Graph, JobFacts, Node, Relation } from '@colophon/provenance';
import { nodeId } from '@colophon/provenance';
import fc from 'fast-check';

/** Runs of a law. */
export const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;

/** Texts that terminals, Graphviz, mermaid, HTML or column counters trip over. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'B c',
        '"',
        '\\',
        '\\N',
        '\\"',
        '\n',
        '\r\n',
        '\u001b[31m',
        '\u0007',
        '\u009b2J',
        '\u202e',
        '\u200b',
        '\u2028',
        '\u0000',
        '<b>',
        '</TABLE>',
        '&amp;',
        '&#10;',
        '#quot;',
        ']',
        '[',
        ');',
        '-->',
        '%%',
        '%{',
        '```',
        '`',
        '|',
        '::: x',
        '{',
        '}',
        '$',
        ';',
        '//',
        '漢字',
        '한글',
        'é',
        '👩‍👩‍👧',
        '🏳️‍🌈',
        '🎉',
        'नि',
        'ﷺ',
        '\ud800',
        '\udc00',
        'e\u0301\u0302\u0303',
        '\u200d',
        'end',
        'subgraph',
        'graph',
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);

const name = hostileText.map((text) => text.replaceAll('/', '_') || 'x');

const chatFacts = (facts: Partial<ChatFacts> = {}): ChatFacts => ({
  messages: 1,
  modified: null,
  metas: [],
  receipts: [],
  ...facts,
});

const jobFacts = (facts: Partial<JobFacts> = {}): JobFacts => ({
  workflow: 'Lab',
  task: 'ask',
  name: 'Default',
  cleanName: 'Default',
  shortPath: 'Lab/ask/Default',
  status: 'done',
  done: true,
  dependencies: [],
  modified: null,
  ...facts,
});

/** A chat node at a path. */
export const chatNode = (path: string, facts: Partial<ChatFacts> = {}): Node => ({
  kind: 'chat',
  id: nodeId('chat', path),
  path,
  facts: chatFacts(facts),
});

/** A job node at a path `…/<workflow>/<task>/<name>`. */
export const jobNode = (path: string, facts: Partial<JobFacts> = {}, missing = false): Node => {
  const [file = '', task = '', workflow = ''] = path.split('/').reverse();
  const cleanName = file.replace(/\.[^.]*$/, '').replace(/_[0-9a-f]{32}$/, '');
  return {
    kind: 'job',
    id: nodeId('job', path),
    path,
    missing,
    facts: jobFacts({ workflow, task, name: file, cleanName, shortPath: `${workflow}/${task}/${file}`, ...facts }),
  };
};

/** A graph of nodes, the root first, and edges between them by number. */
export const graphOf = (nodes: Node[], edges: readonly (readonly [number, Relation, number])[]): Graph => ({
  root: nodes[0]!,
  nodes,
  edges: edges.map(
    ([from, relation, to]): Edge => ({ from: nodes[from]!.id, relation, to: nodes[to]!.id, detail: null }),
  ),
  warnings: [],
});

const count = fc.oneof(fc.nat(5), fc.nat(2_000_000), fc.constant(0));

const meta = fc
  .record(
    {
      pt: count,
      ct: count,
      tt: count,
      cct: fc.nat(100),
      rt: fc.nat(9),
      // Few ids, so that copies of one inference stand in several places, and disagree.
      inference_id: fc.oneof(
        { weight: 5, arbitrary: fc.nat(12).map((id) => `i${id}`) },
        { weight: 1, arbitrary: hostileText },
      ),
      provider_response_id: fc.constantFrom('r1', 'r2'),
      timestamp: fc.oneof(
        fc.integer({ min: 0, max: 200_000 }).map((second) => new Date(1_790_000_000_000 + second * 1000).toISOString()),
        hostileText,
      ),
      model: fc.constantFrom('m-1', 'm-2', 'unknown'),
      job: fc.constantFrom('/j', '/k'),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields }));

const chat = fc
  .record({
    path: fc.oneof(
      name.map((text) => `/home/me/${text}`),
      fc.tuple(name, name).map(([agent, talk]) => `/home/me/x.society/${agent}/${talk}/agent.chat`),
      fc.nat(6).map((number) => `/jobs/Lab/ask/j${number}.files/agent.chat`),
      fc.nat(6).map((number) => `/jobs/Lab/ask/j${number}`),
    ),
    metas: fc.array(fc.tuple(fc.nat(40), meta), { maxLength: 4 }),
    receipts: fc.array(fc.tuple(fc.nat(40), fc.option(hostileText), fc.option(hostileText), meta), { maxLength: 4 }),
    modified: fc.option(fc.nat(2_000_000_000_000)),
  })
  .map(({ path, metas, receipts, modified }) =>
    chatNode(path, {
      modified,
      metas: metas.map(([index, fields]) => ({ index, meta: fields, lineage: `sha256:${index}` })),
      receipts: receipts.map(([index, callId, toolName, fields], entry) => ({
        index,
        entry,
        callId,
        toolName,
        meta: fields,
      })),
    }),
  );

const job = fc
  .record({
    path: fc.oneof(
      fc.nat(6).map((number) => `/jobs/Lab/ask/j${number}`),
      fc.tuple(name, name, name).map((parts) => `/jobs/${parts.join('/')}`),
      fc.nat(3).map((number) => `/jobs/Lab/ask/Default_${String(number).repeat(32)}.chat`),
    ),
    missing: fc.boolean(),
    status: fc.constantFrom('done', 'error', 'aborted', 'start', 'odd'),
    modified: fc.option(fc.nat(2_000_000_000_000)),
    cleanName: fc.option(fc.constantFrom('talk', 'Default'), { nil: undefined }),
  })
  .map(({ path, missing, cleanName, ...facts }) =>
    jobNode(path, { ...facts, ...(cleanName === undefined ? {} : { cleanName }) }, missing),
  );

/** Sessions of any shape, loops and shared parts included, with hostile names and evidence that is copied and disputed. */
export const anyGraph: fc.Arbitrary<Graph> = fc
  .tuple(
    fc.uniqueArray(fc.oneof(chat, job), { minLength: 1, maxLength: 14, selector: ({ id }) => id }),
    fc.array(
      fc.tuple(
        fc.nat(13),
        fc.nat(13),
        fc.constantFrom<Relation>('job', 'agent_job', 'dependency', 'log', 'result'),
        fc.option(hostileText),
      ),
      {
        maxLength: 30,
      },
    ),
  )
  .map(([nodes, picks]) => {
    const edges = picks.flatMap(([from, to, relation, callId]): Edge[] => {
      const [source, target] = [nodes[from % nodes.length]!, nodes[to % nodes.length]!];
      const detail =
        relation === 'agent_job'
          ? {
              callId,
              toolName: callId,
              outputAddress: [source.path, from] as [string, number],
              evidenceAddress: [source.path, from, 'meta', to] as [string, number, 'meta', number],
              job: target.path,
            }
          : null;
      return [{ from: source.id, relation, to: target.id, detail }];
    });
    // Every node hangs below the root, as a traversal finds it.
    const hung = nodes.slice(1).map((node, index): Edge => {
      const parent = nodes[(index * 7) % (index + 1)]!;
      return { from: parent.id, relation: node.kind === 'job' ? 'job' : 'log', to: node.id, detail: null };
    });
    return { root: nodes[0]!, nodes, edges: [...hung, ...edges], warnings: [] };
  });
