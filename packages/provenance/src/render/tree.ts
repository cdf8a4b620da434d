import { type CarriedReceipts, carriedReceipts } from '../carried-receipts.js';
import { printCost } from '../event-costs.js';
import type { Graph } from '../graph.js';
import { nodeId } from '../graph.js';
import { labelNodes, troubleOf } from '../labels.js';
import { toPicture } from '../picture.js';
import { printCount } from '../print-count.js';
import { reachableTokens } from '../reachable-tokens.js';
import type { TokenEvent } from '../token-event.js';
import { printSums } from '../token-text.js';
import { tokenTotals } from '../token-totals.js';
import { treeLines } from '../tree-lines.js';
import { visibleText } from '../visible-text.js';
import type { Render, RenderOptions } from './render.js';

/** Levels that are shown by indenting; deeper lines name their level, so that a long chain stays readable, and linear. */
const deepest = 40;

const indent = (level: number): string =>
  level > deepest ? `${' '.repeat(2 * deepest + 1)}[${level}] ` : ' '.repeat(2 * level + 1);

const namedTools = 5;

const receiptLine = ({ events, tools }: CarriedReceipts, level: number): string => {
  const names = [...tools].slice(0, namedTools).map(visibleText);
  const rest = tools.size - names.length;
  const list = [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const total = printCount(tokenTotals(events, 'deduplicated_total').tt);
  return `${indent(level)}delegated receipt: ${events.length} events, total=${total}, ${list}`;
};

/** By a job's id the tokens that are recorded in its chat result. */
const deltas = ({ edges }: Graph, events: readonly TokenEvent[]): Map<string, number> => {
  const inChat = new Map<string, TokenEvent[]>();
  for (const event of events) {
    const sources = new Set(event.evidence.flatMap(({ origin, source }) => (origin === 'chat_meta' ? [source] : [])));
    for (const source of sources) {
      const id = nodeId('chat', source);
      const known = inChat.get(id);
      if (known === undefined) inChat.set(id, [event]);
      else known.push(event);
    }
  }
  return new Map(
    edges
      .filter(({ from, relation, to }) => relation === 'result' && from.startsWith('job:') && to.startsWith('chat:'))
      .map(({ from, to }) => [from, tokenTotals(inChat.get(to) ?? [], 'deduplicated_total').tt]),
  );
};

const scopeNotes = [
  ['chat_evidence', 'inferences that a saved chat or log has'],
  ['receipt_evidence', 'inferences that a receipt has; overlaps chat_evidence'],
  ['receipt_only', 'inferences with no saved chat/log'],
] as const;

const scopeLines = (events: readonly TokenEvent[]): string[] =>
  scopeNotes.map(([scope, note]) => {
    const totals = tokenTotals(events, scope);
    return [`evidence ${scope}: total=${printCount(totals.tt)}`, ...printSums(totals), `(${note})`].join(' ');
  });

const footer = (events: readonly TokenEvent[], { costs, paint = (text) => text }: RenderOptions): string[] => {
  const totals = tokenTotals(events, 'deduplicated_total');
  const conflicts = events.filter(({ conflict }) => conflict).length;
  return [
    [
      `root deduplicated_total=${printCount(totals.tt)} (${events.length} events)`,
      ...printSums(totals, { whole: true }),
      ...printCost(events, costs),
      '(the one cost: each inference counted once)',
    ].join(' '),
    ...(conflicts === 0
      ? []
      : [paint(`not exact: ${conflicts} events with unresolved identity conflicts, counted by their first evidence`)]),
  ];
};

/**
 * A session as an indented tree: each shown node once, with the tokens of all distinct inferences that it leads to (`evidence=`), or
 * its own (`direct=`), which add up to the total; at the end the total itself.
 */
export const renderTree: Render = (graph, events, options = {}) => {
  const picture = toPicture(graph, events);
  const labels = labelNodes(graph, options);
  const receipts = carriedReceipts(events);
  const delta = deltas(graph, events);
  const reachable = options.component ? undefined : reachableTokens(graph, events);

  const lines = treeLines(graph, picture).flatMap(({ node, level, relation }) => {
    const own = picture.direct.get(node.id)!;
    const sums = reachable?.get(node.id) ?? tokenTotals(own, 'deduplicated_total');
    const trouble = troubleOf(node);
    const carried = node.kind === 'chat' ? receipts.get(node.id) : undefined;
    const line = [
      `${indent(level)}${node.kind}`,
      `${reachable ? 'evidence' : 'direct'}=${printCount(sums.tt)}`,
      ...(delta.has(node.id) ? [`delta=${printCount(delta.get(node.id)!)}`] : []),
      ...printSums(sums),
      ...(reachable ? [] : printCost(own, options.costs)),
      ...(node.kind === 'job' && relation === 'agent_job' ? ['delegated-job'] : []),
      labels.get(node.id),
      ...(trouble === undefined ? [] : [`[${trouble}]`]),
    ].join(' ');
    return carried === undefined ? [line] : [line, receiptLine(carried, level + 1)];
  });
  return [
    ...lines,
    ...(options.component && receipts.size > 0 ? scopeLines(events) : []),
    ...footer(events, options),
  ].join('\n');
};
