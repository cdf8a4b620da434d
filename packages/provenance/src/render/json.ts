import type { Node } from '../graph.js';
import { labelNodes } from '../labels.js';
import { toPicture } from '../picture.js';
import { tokenTotals } from '../token-totals.js';
import type { Render } from './render.js';

const factsOf = (node: Node) =>
  node.kind === 'job'
    ? { missing: node.missing, ...node.facts }
    : { messages: node.facts.messages, modified: node.facts.modified };

const sumCosts = (costs: Iterable<{ paid: number; cached: number; unknown: readonly unknown[] }>) => {
  const sum = { paid: 0, cached: 0, unknown_events: 0 };
  for (const { paid, cached, unknown } of costs) {
    sum.paid += paid;
    sum.cached += cached;
    sum.unknown_events += unknown.length > 0 ? 1 : 0;
  }
  return sum;
};

/**
 * A session as JSON: nodes with their own tokens (`direct`, which add up to the total), edges, events with all their evidence, totals
 * by scope, warnings. Paths are whole.
 */
export const renderJson: Render = (graph, events, options = {}) => {
  const { direct, shown } = toPicture(graph, events);
  const labels = labelNodes(graph, options);
  const scope = (name: Parameters<typeof tokenTotals>[1]) => tokenTotals(events, name);
  return JSON.stringify(
    {
      root: graph.root.id,
      nodes: graph.nodes.map((node) => ({
        id: node.id,
        kind: node.kind,
        path: node.path,
        label: labels.get(node.id),
        ...factsOf(node),
        ...(shown(node.id) === node.id
          ? { direct: tokenTotals(direct.get(node.id)!, 'deduplicated_total') }
          : { shown_as: shown(node.id) }),
      })),
      edges: graph.edges,
      events: events.map((event) => ({ ...event, ...(options.costs ? { cost: options.costs.get(event) } : {}) })),
      totals: {
        deduplicated_total: scope('deduplicated_total'),
        chat_evidence: scope('chat_evidence'),
        receipt_evidence: scope('receipt_evidence'),
        receipt_only: scope('receipt_only'),
      },
      ...(options.costs ? { cost: sumCosts(options.costs.values()) } : {}),
      warnings: graph.warnings,
    },
    null,
    2,
  );
};
