import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buildGraph, type Graph, tokenEvents } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { makeSessionTree, type Tree } from '../fixtures/make-session-tree.js';

export const name = 'provenance';

type Measure = { what: string; ratio: number; limit: number | null; detail: string };

/** Milliseconds that this process has worked so far: other processes on the machine do not count. */
const worked = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const output = 'function_call_output: ';

/** The least that can be done: each file read once, the outputs parsed. */
const readAll = (files: readonly string[]): void => {
  for (const file of files)
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line.startsWith(output)) JSON.parse(line.slice(output.length));
};

const graphOf = (tree: Tree): Promise<Graph> => buildGraph(tree.root, { reader: nodeReader() });

/** The least that each action takes in several runs, in milliseconds of work. The actions take turns. */
const leastWork = async (actions: (() => unknown)[], runs: number): Promise<number[]> => {
  const least = actions.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < runs; run++)
    for (const [index, action] of actions.entries()) {
      const start = worked();
      await action();
      least[index] = Math.min(least[index]!, worked() - start);
    }
  return least;
};

const milliseconds = (time: number): string => `${time.toFixed(0)} ms`;

/** Growth of building a graph and of counting its tokens, and both beside reading the files. */
const growth = async (folder: string): Promise<Measure[]> => {
  const sizes = [100, 400, 1600];
  const trees = sizes.map((jobs) => makeSessionTree(join(folder, String(jobs)), { jobs, rounds: 32 }));
  const times: { read: number; graph: number; events: number }[] = [];
  for (const [index, tree] of trees.entries()) {
    const files = filesBelow(join(folder, String(sizes[index])));
    const [read = 0, graph = 0, events = 0] = await leastWork(
      [() => readAll(files), () => graphOf(tree), async () => tokenEvents(await graphOf(tree))],
      index === 2 ? 3 : 7,
    );
    times.push({ read, graph, events });
  }
  const measures: Measure[] = [];
  for (const [label, key] of [
    ['buildGraph', 'graph'],
    ['buildGraph and tokenEvents', 'events'],
  ] as const) {
    for (const [index, time] of times.entries())
      measures.push({
        what: `${label}, ${sizes[index]} jobs of 32 rounds, beside reading and JSON.parse`,
        ratio: time[key] / time.read,
        limit: 4,
        detail: `${milliseconds(time[key])} and ${milliseconds(time.read)}`,
      });
    for (const index of [1, 2])
      measures.push({
        what: `${label}, ${sizes[index]} jobs beside ${sizes[index - 1]}`,
        ratio: times[index]![key] / times[index - 1]![key],
        limit: 4.6,
        detail: `${milliseconds(times[index]![key])} and ${milliseconds(times[index - 1]![key])}; reading grew ${(times[index]!.read / times[index - 1]!.read).toFixed(2)} times`,
      });
  }
  return measures;
};

/** Files that a second run reads where an index is kept and one chat has grown. */
const secondRun = async (folder: string): Promise<Measure[]> => {
  const tree = makeSessionTree(join(folder, 'indexed'), { jobs: 400, rounds: 32 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const run = async () => {
    const reader = nodeReader({ index: join(folder, 'facts') });
    const start = worked();
    const { events } = tokenEvents(await buildGraph(tree.root, { reader }));
    return { work: worked() - start, events: events.length, ...reader.statistics };
  };
  const first = await run();
  appendFileSync(tree.root, '\n\nmeta: pt=1 ct=1 tt=2 inference_id=grown\n\nassistant:\n\nMore.');
  const second = await run();
  if (second.events !== first.events + 1) throw new Error('the second run missed what was added');
  return [
    {
      what: 'files read, a second run with an index',
      ratio: second.filesRead,
      limit: 2,
      detail: `${first.filesRead} the first time, ${second.fromIndex} from the index`,
    },
    {
      what: 'work of it, beside the first run',
      ratio: second.work / first.work,
      limit: null,
      detail: `${milliseconds(second.work)} and ${milliseconds(first.work)}`,
    },
  ];
};

const child = `
  import { buildGraph, tokenEvents, tokenTotals } from '@colophon/provenance';
  import { nodeReader } from '@colophon/provenance/node';
  const start = performance.now();
  const graph = await buildGraph(process.argv[1], { reader: nodeReader() });
  const { events } = tokenEvents(graph);
  const seconds = (performance.now() - start) / 1000;
  const { tt } = tokenTotals(events);
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ nodes: graph.nodes.length, events: events.length, tt, memory, seconds }));
`;

/** Memory of a large session, in a process of its own. */
const memory = (folder: string): Measure[] => {
  const tree = makeSessionTree(join(folder, 'large'), { jobs: 10_000, rounds: 8, output: 9000 });
  const result = JSON.parse(
    execFileSync('node_modules/.bin/tsx', ['-C', 'colophon-source', '--input-type=module', '-e', child, tree.root], {
      encoding: 'utf8',
    }),
  );
  if (result.nodes !== tree.chats + tree.jobs)
    throw new Error(`found ${result.nodes} nodes of ${tree.chats + tree.jobs}`);
  const detail = `${result.memory.toFixed(0)} MB and ${(tree.bytes / 1e6).toFixed(0)} MB of files; ${tree.chats} chats, ${result.events} inferences, ${result.seconds.toFixed(1)} s`;
  return [{ what: 'memory of 10,000 jobs, beside 1.5 GB', ratio: result.memory / 1536, limit: 1, detail }];
};

export const run = async (): Promise<Measure[]> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'provenance-')));
  try {
    return [...(await growth(folder)), ...(await secondRun(folder)), ...memory(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
