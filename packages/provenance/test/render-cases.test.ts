import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGraph, eventCosts, type Graph, renders, tokenEvents } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { describe, expect, it, onTestFinished } from 'vitest';

const cases = fileURLToPath(new URL('../../../fixtures/renders', import.meta.url));
const update = process.env['UPDATE'] !== undefined;

const prices = { 'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 } };

/** Times of files are those of the checkout, and tell nothing. */
const withoutFileTimes = (graph: Graph): Graph => {
  const nodes = graph.nodes.map((node): Graph['root'] =>
    node.kind === 'job'
      ? { ...node, facts: { ...node.facts, modified: null } }
      : { ...node, facts: { ...node.facts, modified: null } },
  );
  return { ...graph, nodes, root: nodes[0]! };
};

/** Expected files by ending: what is rendered, and how. */
const forms = {
  'tree.txt': ['tree', {}],
  'component.txt': ['tree', { component: true }],
  'flow.txt': ['flow', {}],
  'evidence.txt': ['evidence', {}],
  'long.txt': ['tree', { long: true }],
  dot: ['dot', {}],
  'timeline.dot': ['timeline', {}],
  mmd: ['mermaid', {}],
  json: ['json', {}],
} as const;

describe.each(readdirSync(cases))('%s', (name) => {
  const folder = join(cases, name);

  it.each(Object.entries(forms))('expected.%s', async (ending, [form, options]) => {
    const reader = nodeReader({ roots: [folder] });
    const graph = withoutFileTimes(await buildGraph(join(folder, 'root.chat'), { reader }));
    const { events, warnings } = tokenEvents(graph);
    const costs = await eventCosts(events, prices);
    const whole = { ...graph, warnings: [...graph.warnings, ...warnings] };
    const text = renders[form](whole, events, { ...options, home: folder, costs });
    const found = `${text.replaceAll(folder, '{{ROOT}}')}\n`;
    const file = join(folder, `expected.${ending}`);
    if (update) writeFileSync(file, found);
    expect(existsSync(file), `${file} is missing: write it with UPDATE=1`).toBe(true);
    expect(found).toBe(readFileSync(file, 'utf8'));
  });
});

it('is the same for a session that was moved', async () => {
  const moved = mkdtempSync(join(realpathSync(tmpdir()), 'moved-'));
  onTestFinished(() => rmSync(moved, { recursive: true }));
  for (const name of readdirSync(cases)) {
    cpSync(join(cases, name), join(moved, name), { recursive: true });
    const texts = [join(cases, name), join(moved, name)].map(async (folder) => {
      const graph = withoutFileTimes(
        await buildGraph(join(folder, 'root.chat'), { reader: nodeReader({ roots: [folder] }) }),
      );
      const { events } = tokenEvents(graph);
      return Object.values(renders).map((render) => render(graph, events, { home: folder }).replaceAll(folder, '~'));
    });
    expect(await texts[1]).toEqual(await texts[0]);
  }
});
