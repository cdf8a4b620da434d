import { type Graph, reachableTokens, renders, tokenEvents, tokenTotals } from '@colophon/provenance';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { anyGraph, chatNode, graphOf, runs } from './support/graphs.js';

vi.setConfig({ testTimeout: process.env['COLOPHON_FUZZ'] === 'full' ? 3_600_000 : 60_000 });

const names = Object.keys(renders) as (keyof typeof renders)[];
const options = fc.record({ long: fc.boolean(), component: fc.boolean(), home: fc.constantFrom('/home/me', '') });

const law = (
  check: (graph: Graph, option: { long: boolean; component: boolean; home: string }) => void,
  numRuns = runs / 3,
) => fc.assert(fc.property(anyGraph, options, check), { numRuns });

/** What a terminal would obey, or what would hide or turn text; line ends apart. */
const obeyed = /[\0-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** All that is reached from a node, by walking. */
const reached = ({ edges }: Graph, start: string): Set<string> => {
  const seen = new Set([start]);
  for (const id of seen) for (const { from, to } of edges) if (from === id) seen.add(to);
  return seen;
};

describe('every render', () => {
  it('gives the same text again, whatever the session holds, and leaves it alone', () => {
    law((graph, option) => {
      const { events } = tokenEvents(graph);
      const before = JSON.stringify([graph, events]);
      const first = names.map((name) => renders[name](graph, events, option));
      expect(names.map((name) => renders[name](structuredClone(graph), tokenEvents(graph).events, option))).toEqual(
        first,
      );
      expect(JSON.stringify([graph, events])).toBe(before);
    }, runs / 10);
  });

  it('shows nothing that a terminal obeys', () => {
    law((graph, option) => {
      const { events } = tokenEvents(graph);
      for (const name of names) if (name !== 'json') expect(renders[name](graph, events, option)).not.toMatch(obeyed);
    }, runs / 10);
  });
});

describe('tree', () => {
  const exact = (graph: Graph, option: object) => {
    const { events } = tokenEvents(graph);
    const { nodes } = JSON.parse(renders.json(graph, events, option));
    return { events, nodes: nodes as { direct?: { tt: number; pt: number }; id: string; shown_as?: string }[] };
  };

  it('shows each node once, save those that a job stands for', () => {
    law((graph, option) => {
      const { events, nodes } = exact(graph, option);
      const lines = renders.tree(graph, events, option).split('\n');
      expect(lines.filter((line) => /^ +(\[\d+\] )?(chat|job) (evidence|direct)=/.test(line))).toHaveLength(
        nodes.filter(({ shown_as: other }) => other === undefined).length,
      );
    });
  });

  it('has own costs that add up to the deduplicated total', () => {
    law((graph, option) => {
      const { events, nodes } = exact(graph, option);
      const total = tokenTotals(events, 'deduplicated_total');
      for (const field of ['tt', 'pt'] as const)
        expect(nodes.reduce((sum, { direct }) => sum + (direct?.[field] ?? 0), 0)).toBe(total[field]);
      expect(renders.tree(graph, events, option)).toContain(`root deduplicated_total=`);
    });
  });

  it('tells of each node what all distinct inferences below it sum up to', () => {
    law((graph) => {
      const { events } = tokenEvents(graph);
      const found = reachableTokens(graph, events);
      for (const { id } of graph.nodes) {
        const below = reached(graph, id);
        const within = events.filter(({ evidence }) => evidence.some(({ source }) => below.has(`chat:${source}`)));
        const { unknown: _, ...sums } = tokenTotals(within, 'deduplicated_total');
        expect(found.get(id)).toEqual({ ...sums, events: within.length });
      }
    });
  });
});

describe('flow', () => {
  it('keeps its columns under any label', () => {
    law((graph, option) => {
      const { events } = tokenEvents(graph);
      const [nodeLines = '', edgeLines = ''] = renders.flow(graph, events, option).split('\n\n');
      const rows = nodeLines.split('\n').slice(2);
      expect(new Set(rows.map((row) => stringWidth(row))).size).toBe(1);
      for (const row of rows) expect(row).toMatch(/^\[ *\d+\] (Job {2}|Chat ) .* {1,}\d[\d.]*[kMBT]? [0-9a-f]{8}$/su);
      const arrows = edgeLines === '' ? [] : edgeLines.split('\n');
      expect(new Set(arrows.map((arrow) => arrow.indexOf('-->'))).size).toBeLessThanOrEqual(1);
      for (const arrow of arrows)
        expect(arrow).toMatch(/^\[ *\d+\] --(result|delegated_result|dependency|log) *--> \[ *\d+\]$/);
    });
  });
});

describe('evidence', () => {
  const head = (text: string) => text.split('\n').find((line) => line.startsWith('Inference ID'));

  it('lists each event once, in columns, with a sum that is the total', () => {
    law((graph, option) => {
      const { events } = tokenEvents(graph);
      const text = renders.evidence(graph, events, option);
      if (events.length === 0) {
        expect(text).toContain('\n(none)');
        return;
      }
      const table = text.split('\n').slice(3).join('\n').split('\n\n')[0]!.split('\n');
      const columns = ['Tokens', 'Evidence', 'Status'].map((title) => head(text)!.indexOf(title));
      const at = (line: string, from: number, to?: number): string => {
        let place = 0;
        let taken = '';
        for (const { segment } of new Intl.Segmenter('en').segment(line)) {
          if (place >= from && (to === undefined || place < to)) taken += segment;
          place += stringWidth(segment);
        }
        return taken.trimEnd();
      };
      const rows = table.slice(1).filter((line) => at(line, columns[2]!) !== '');
      expect(rows).toHaveLength(events.length + 1);
      const tokens = rows.map((row) => at(row, columns[0]!, columns[1]));
      const count = (cell: string, field: string) => Number(new RegExp(`(?:^| )${field}=(\\d+)`).exec(cell)?.[1] ?? 0);
      for (const field of ['total', 'prompt', 'cont']) {
        const listed = tokens.slice(0, -1).reduce((sum, cell) => sum + count(cell, field), 0);
        expect(count(tokens.at(-1)!, field)).toBe(listed);
      }
      expect(count(tokens.at(-1)!, 'total')).toBe(tokenTotals(events, 'deduplicated_total').tt);
      for (const row of rows.slice(0, -1))
        expect(at(row, columns[2]!)).toMatch(
          /^(conflict|incomplete evidence|legacy unresolved|receipt-only|counted once)$/,
        );
    });
  });

  it('breaks places by the columns that they take, not by their letters', () => {
    const meta = { pt: 1, inference_id: 'i' };
    const wide = chatNode(`/w/${'漢字'.repeat(9)}.chat`, {
      metas: [
        { index: 0, meta },
        { index: 1, meta },
      ],
    });
    const graph = graphOf([wide], []);
    const lines = renders.evidence(graph, tokenEvents(graph).events).split('\n').slice(3, 6);
    expect(lines[1]).toMatch(/:0; +counted once$/);
    expect(stringWidth(lines[1]!)).toBe(lines[0]!.indexOf('Status') + 'counted once'.length);
    expect(lines[2]).toMatch(/^ +chat_meta .*:1$/);
  });
});
