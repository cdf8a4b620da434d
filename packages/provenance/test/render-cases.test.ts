import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGraph, eventCosts, type Graph, renders, tokenEvents } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { describe, expect, it } from 'vitest';

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
