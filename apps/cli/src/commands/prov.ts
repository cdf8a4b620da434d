import { costOf } from '@colophon/backends';
import { ColophonError } from '@colophon/chat-format';
import { eventCosts, type PricedInference, type RenderOptions, relations, renders } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { liveWork } from '../live-work.js';
import { placeChat } from '../locate-chat.js';
import { locateRoot } from '../locate-root.js';
import { readSession } from '../read-session.js';
import { renderLive } from '../show-live.js';
import { showWarnings } from '../show-warnings.js';
import { writePicture } from '../write-picture.js';
import { jsonOption, writeResult } from '../write-result.js';

/** Dollars for one inference, by the built-in list of prices. */
const priceOf = ({ tokens, model }: PricedInference) => costOf(tokens, model);

const isMissing = (error: unknown): boolean => error instanceof ColophonError && error.code === 'no_such_file';

/** The relations that `--follow` names; undefined where it names none, or all. */
const takeFollow = (given: string | undefined): string[] | undefined => {
  const names = (given ?? '').split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return undefined;
  const wrong = names.find((name) => !Object.hasOwn(relations, name));
  if (wrong === undefined) return names;
  const known = Object.keys(relations).join(', ');
  throw usageError(`--follow: ${wrong} is no relation; expected some of ${known}, or all`, 'prov');
};

/** The root as a path; with `planned`, of a chat that is yet to be written. */
const findRoot = async (
  name: string,
  live: boolean,
  reader: Parameters<typeof locateRoot>[1],
  context: MachineContext,
): Promise<{ path: string; planned: boolean }> => {
  try {
    return { path: await locateRoot(name, reader, context), planned: false };
  } catch (error) {
    if (!live || !isMissing(error)) throw error;
    return { path: await placeChat(name, context), planned: true };
  }
};

export const command = defineCommand({
  name: 'prov',
  description:
    'Show what a chat or job came from, and what it cost: the chats, jobs, agents and inferences that hang below it, each inference counted once. Nothing is run, compiled or changed. FILE is a job where FILE.info lies beside it, else a chat.',
  arguments: [{ name: 'FILE', description: 'a chat, or the result of a job', complete: 'chat' }],
  options: [
    { name: 'component', short: 'c', description: "each node's own tokens and cost, which add up to the total" },
    { name: 'flow', short: 'f', description: 'a list of nodes and of how data flows between them, not a tree' },
    { name: 'long', short: 'l', description: 'full paths as labels' },
    { name: 'evidence', short: 'e', description: 'every inference, with all places where it is recorded' },
    { name: 'live', description: 'what is going on now: running jobs, open calls, waiting notes' },
    { name: 'dot', value: 'F', endings: ['.dot', '.gv'], description: 'Graphviz source, into a file F.dot' },
    {
      name: 'mermaid',
      value: 'F',
      endings: ['.mmd', '.mermaid'],
      description: 'a mermaid flowchart, into a file F.mmd',
    },
    { name: 'plot', short: 'p', value: 'F', description: 'a picture, F.svg or F.png', complete: 'file' },
    {
      name: 'timeline',
      value: 'F',
      endings: ['.svg', '.png', '.dot', '.gv'],
      description: 'the nodes in the order of time, as a picture F.svg, F.png or F.dot; without F as Graphviz source',
    },
    {
      name: 'follow',
      value: 'RELATIONS',
      description: 'follow these alone, with commas between: job, agent_job, dependency, log, result',
    },
    { name: 'strict', description: 'fail at the first thing that is wrong with the evidence' },
    { name: 'index', description: 'keep what was read, so that the next run reads only what changed' },
    jsonOption,
  ],
  examples: [
    ['colophon prov hello.chat', 'the session as a tree, with its total'],
    ['colophon prov -c -e hello.chat', "each node's own cost, and every inference"],
    ['colophon prov --plot session.svg hello.chat', 'the same as a picture'],
    ['colophon prov --live hello.chat', 'what it waits for now'],
  ],
  run: async ({ words: [name], options }, context) => {
    const { home, roots, workingDirectory, stdout, userRoot } = context;
    const follow = takeFollow(options.follow);
    const reader = nodeReader({
      roots: roots.map(({ path }) => path),
      home,
      workingDirectory,
      ...(options.index ? { index: `${userRoot}/var/cache/provenance` } : {}),
    });
    const { path, planned } = await findRoot(name!, options.live === true, reader, context);
    if (planned) {
      const work = await liveWork([path], new Set(), reader, context);
      if (options.json) stdout.line(JSON.stringify({ root: null, live: work }, null, 2));
      else for (const line of renderLive(work, home).slice(1)) stdout.line(line);
      return;
    }

    const session = await readSession(path, reader, { follow, strict: options.strict === true }, context);
    const { graph, events } = session;
    showWarnings(graph.warnings, context);
    const reported = new Set(graph.nodes.filter(({ kind }) => kind === 'job').map((node) => node.path));
    const chats = graph.nodes.filter(({ kind }) => kind === 'chat').map((node) => node.path);
    const work = options.live ? await liveWork(chats, reported, reader, context) : [];

    const costs = options.component || options.json ? await eventCosts(events, priceOf) : undefined;
    const render: RenderOptions = {
      home,
      long: options.long === true,
      component: options.component === true,
      paint: createColors(stdout.color).red,
      ...(costs ? { costs } : {}),
    };
    if (options.json) {
      const text = renders.json(graph, events, render);
      stdout.line(options.live ? JSON.stringify({ ...JSON.parse(text), live: work }, null, 2) : text);
      return;
    }
    const { dot, mermaid, timeline, plot } = options;
    const isPicture = [dot, mermaid, timeline, plot].some((option) => option !== undefined);
    if (options.flow) stdout.line(renders.flow(graph, events, render));
    else if (!isPicture) stdout.line(renders.tree(graph, events, render));
    if (options.evidence) stdout.line(renders.evidence(graph, events, render));
    if (dot) await writeResult(renders.dot(graph, events, render), dot === true ? undefined : dot, context);
    if (mermaid)
      await writeResult(renders.mermaid(graph, events, render), mermaid === true ? undefined : mermaid, context);
    if (timeline === true) stdout.line(renders.timeline(graph, events, render));
    else if (timeline) await writePicture(renders.timeline(graph, events, render), timeline, context);
    if (plot) await writePicture(renders.dot(graph, events, render), plot, context);
    for (const line of renderLive(work, home)) stdout.line(line);
    if (options.live && work.length === 0) context.log('info', 'nothing goes on now');
  },
});
