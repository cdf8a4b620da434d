import { tokenFields } from '@colophon/chat-format';
import { cutMiddle, padRight, widest } from '../columns.js';
import { printCost } from '../event-costs.js';
import type { Edge, EdgeDetail, Graph } from '../graph.js';
import { shownPath } from '../labels.js';
import type { Evidence, TokenEvent } from '../token-event.js';
import { knownTotals, printExact } from '../token-text.js';
import { tokenTotals } from '../token-totals.js';
import { visibleText } from '../visible-text.js';
import type { Render, RenderOptions } from './render.js';

const widestId = 100;
const widestItem = 160;

const fileOf = (path: string, { long, home }: RenderOptions): string =>
  long ? shownPath(path, home) : visibleText(path.slice(path.lastIndexOf('/') + 1));

/** `agent_meta s.chat:4[meta,0] call=k1` */
const printEvidence = (evidence: Evidence, options: RenderOptions): string => {
  const [path, message, , entry] = evidence.address;
  const place = `${fileOf(path, options)}:${message}${entry === undefined ? '' : `[meta,${entry}]`}`;
  const call = evidence.origin === 'agent_meta' && evidence.callId !== null ? ` call=${evidence.callId}` : '';
  return cutMiddle(`${evidence.origin} ${place}${visibleText(call)}`, widestItem);
};

const printId = ({ inferenceId, identity: [kind, value], evidence }: TokenEvent, options: RenderOptions): string => {
  if (inferenceId !== null) return cutMiddle(visibleText(inferenceId), widestId);
  const shown =
    kind === 'receipt' ? printEvidence(evidence[0], options).replace(/^agent_meta /, '') : visibleText(value);
  return cutMiddle(`${kind}=${shown}`, widestId);
};

const statusOf = ({ conflict, incompleteEvidence, unresolved, evidence }: TokenEvent): string => {
  if (conflict) return 'conflict';
  if (incompleteEvidence) return 'incomplete evidence';
  if (unresolved) return 'legacy unresolved';
  return evidence.every(({ origin }) => origin === 'agent_meta') ? 'receipt-only' : 'counted once';
};

/** `pt=10|12`: what copies say of the fields that they disagree on. */
const printDispute = ({ evidence }: TokenEvent): string =>
  [...tokenFields.filter((field) => ['pt', 'ct', 'tt'].includes(field)), 'provider_response_id']
    .flatMap((field) => {
      const values = new Set(
        evidence.map(({ meta }) => String(meta[field] ?? (field === 'provider_response_id' ? '' : 0))),
      );
      if (field === 'provider_response_id') values.delete('');
      return values.size > 1
        ? [`${field}=${[...values].map((value) => cutMiddle(visibleText(value), widestId)).join('|')}`]
        : [];
    })
    .join(' ');

/** The items of a cell, as many in a row as there is place for; the separator stands behind each but the last. */
const wrap = (items: readonly string[], columns: number): string[] => {
  const rows: string[] = [];
  for (const [index, item] of items.entries()) {
    const text = index === items.length - 1 ? item : `${item};`;
    const row = rows.at(-1);
    if (row !== undefined && widest([`${row} ${text}`], 0) <= columns) rows[rows.length - 1] = `${row} ${text}`;
    else rows.push(text);
  }
  return rows;
};

type Row = { id: string; tokens: string; items: string[]; status: string };

/** Rows under a head; a cell with many places goes on in the lines below, so that every column stays in its place. */
const table = (rows: readonly Row[]): string[] => {
  const head: Row = { id: 'Inference ID', tokens: 'Tokens', items: ['Evidence'], status: 'Status' };
  const all = [head, ...rows];
  const ids = widest(
    all.map(({ id }) => id),
    26,
  );
  const tokens = widest(
    all.map((row) => row.tokens),
    36,
  );
  const places = widest(
    all.flatMap(({ items }) => items.map((item) => `${item};`)),
    56,
  );
  return all.flatMap((row) =>
    wrap(row.items, places).map((text, index) =>
      [
        padRight(index === 0 ? row.id : '', ids),
        padRight(index === 0 ? row.tokens : '', tokens),
        padRight(text, places),
        index === 0 ? row.status : '',
      ]
        .join(' ')
        .trimEnd(),
    ),
  );
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, '-'.repeat(title.length), ...lines.map((line) => `  ${line}`)];

const projections = ({ edges }: Graph, options: RenderOptions): string[] =>
  edges
    .filter((edge): edge is Edge & { detail: EdgeDetail } => edge.detail !== null)
    .map(
      ({
        to,
        detail: {
          callId,
          toolName,
          evidenceAddress: [path, message, , entry],
        },
      }) =>
        [
          `job=${shownPath(to.slice(to.indexOf(':') + 1), options.home)} at ${fileOf(path, options)}:${message}[meta,${entry}]`,
          ...(callId === null ? [] : [`call=${visibleText(callId)}`]),
          ...(toolName === null ? [] : [`tool=${visibleText(toolName)}`]),
          '(delegated_result edge)',
        ].join(' '),
    );

/** Every inference of a session once, with all places where it is persisted, and what is to be said of their identity. */
export const renderEvidence: Render = (graph, events, options = {}) => {
  const rows = events.map(
    (event): Row => ({
      id: printId(event, options),
      tokens: [printExact(event.tokens), ...printCost([event], options.costs)].join(' '),
      items: event.evidence.map((evidence) => printEvidence(evidence, options)),
      status: statusOf(event),
    }),
  );
  const sum: Row = {
    id: 'sum',
    tokens: [
      printExact(knownTotals(tokenTotals(events, 'deduplicated_total'))),
      ...printCost(events, options.costs),
    ].join(' '),
    items: [''],
    status: `${events.length} events`,
  };
  const listed = (status: string, more: (event: TokenEvent) => string = () => '') =>
    events.flatMap((event, index) =>
      rows[index]!.status === status
        ? [[rows[index]!.id, rows[index]!.tokens, more(event)].filter(Boolean).join(' ')]
        : [],
    );
  return [
    '',
    'Direct inference events',
    '=======================',
    ...(rows.length === 0 ? ['(none)'] : table([...rows, sum])),
    ...section('Receipt-only events', listed('receipt-only')),
    ...section('Legacy unresolved events', listed('legacy unresolved')),
    ...section('Identity conflicts', listed('conflict', printDispute)),
    ...section('Incomplete evidence', listed('incomplete evidence')),
    ...section('Job projection references', projections(graph, options)),
  ].join('\n');
};
