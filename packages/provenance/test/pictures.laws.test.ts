import { type Graph, renders, tokenEvents } from '@colophon/provenance';
import { toPng, toSvg } from '@colophon/provenance/node';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anyGraph, chatNode, graphOf, jobNode, runs } from './support/graphs.js';

vi.setConfig({ testTimeout: process.env['COLOPHON_FUZZ'] === 'full' ? 3_600_000 : 60_000 });

const decode = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

const blank = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ').trim();

/** By node number the lines of text that a picture shows. */
const shownIn = (svg: string): Map<string, string> =>
  new Map(
    [...svg.matchAll(/<g id="node\d+" class="node[^"]*">\n<title>(n\d+)<\/title>\n([\s\S]*?)\n<\/g>\n(?=<|$)/g)].map(
      ([, name, body]) => [
        name!,
        blank([...body!.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => decode(text!)).join(' ')),
      ],
    ),
  );

describe('Graphviz', () => {
  it('accepts every session, and shows labels as they are', async () => {
    const graphviz = await Graphviz.load();
    fc.assert(
      fc.property(anyGraph, fc.boolean(), fc.constantFrom('dot', 'timeline'), (graph: Graph, long, name) => {
        const { events } = tokenEvents(graph);
        const source = renders[name as 'dot'](graph, events, { long });
        const svg = graphviz.layout(source, 'svg', 'dot');
        const shown = shownIn(svg);
        const labels = renders
          .mermaid(graph, events, { long })
          .split('\n')
          .flatMap((line) => {
            const [, number, label] = /^ {2}(n\d+)[[(]"(.*)"[\])]:::/.exec(line) ?? [];
            return number === undefined ? [] : [[number, label!] as const];
          });
        expect(shown.size).toBe(labels.length);
        for (const [number, label] of labels) {
          const text = label
            .split('<br/>')
            .map((line) => line.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
          for (const line of text) expect(shown.get(number)).toContain(blank(line));
        }
      }),
      { numRuns: runs / 10 },
    );
  });
});

describe('pictures', () => {
  const graph = graphOf(
    [
      chatNode('/w/talk "é" <b>漢字🎉.chat'),
      jobNode('/w/var/jobs/Lab/ask/one'),
      jobNode('/w/var/jobs/Lab/ask/gone', { status: 'error' }),
    ],
    [
      [0, 'agent_job', 1],
      [1, 'dependency', 2],
    ],
  );

  it('are SVG with a title for each node', async () => {
    const svg = await toSvg(renders.dot(graph, [], {}));
    expect(svg).toContain('font-family="DejaVu Sans,Verdana,sans-serif"');
    expect(svg).toContain('⚠ error');
    expect(svg).toMatch(/xlink:title="\/w\/var\/jobs\/Lab\/ask\/one"/);
  });

  // Letters that the font has: no other font is looked for, so that the machine's fonts don't hide that ours is missing.
  it('are PNG in which text shows, without any font of the machine', async () => {
    const svg = await toSvg('digraph { node [fontname="DejaVu Sans"]; a [label="Root conversation ⚠ é"]; }');
    const { data, width, height, scale } = await toPng(svg);
    expect([...data.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
    expect(scale).toBe(2);
    const bare = await toPng(svg.replace(/<text[\s\S]*?<\/text>/g, ''));
    expect({ width: bare.width, height: bare.height }).toEqual({ width, height });
    expect(data.length).toBeGreaterThan(bare.data.length * 1.3);
  });

  it('show letters that the font lacks where the machine has them', async () => {
    const { data } = await toPng(await toSvg(renders.dot(graph, [], {})));
    expect(data.length).toBeGreaterThan(1000);
  });

  it('tell what is wrong with their source', async () => {
    await expect(toSvg('digraph {')).rejects.toMatchObject({ code: 'picture_failed' });
    await expect(toPng('<svg')).rejects.toMatchObject({ code: 'picture_failed' });
    const tall = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="200000"></svg>';
    await expect(toPng(tall)).rejects.toMatchObject({
      code: 'picture_too_large',
      facts: { width: 100, height: 200_000 },
    });
  });

  it('stop where they are told to', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(toSvg('digraph {}', { signal })).rejects.toThrow('stopped');
    const later = new AbortController();
    const slow = toSvg(`digraph { ${Array.from({ length: 20_000 }, (_, n) => `a${n} -> b${n % 97};`).join(' ')} }`, {
      signal: later.signal,
    });
    setTimeout(() => later.abort(new Error('stopped')), 50);
    await expect(slow).rejects.toThrow('stopped');
  });
});

describe('size', () => {
  const sizes = [2_500, 10_000];
  const shapes = {
    chain: (n: number) =>
      graphOf(
        [
          chatNode('/w/root.chat'),
          ...Array.from({ length: n }, (_, index) => jobNode(`/w/var/jobs/Lab/step/j${index}`)),
        ],
        Array.from({ length: n }, (_, index) => [index, index === 0 ? 'job' : 'dependency', index + 1] as const),
      ),
    circle: (n: number) =>
      graphOf(
        Array.from({ length: n }, (_, index) => jobNode(`/w/var/jobs/Lab/step/j${index}`)),
        Array.from({ length: n }, (_, index) => [index, 'dependency', (index + 1) % n] as const),
      ),
    star: (n: number) =>
      graphOf(
        [
          chatNode('/w/root.chat'),
          ...Array.from({ length: n }, (_, index) => jobNode(`/w/var/jobs/Lab/ask/j${index}`)),
        ],
        Array.from({ length: n }, (_, index) => [0, 'agent_job', index + 1] as const),
      ),
  };

  it.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'of a text follows that of a %s, and no stack overflows',
    (shape) => {
      for (const name of Object.keys(renders) as (keyof typeof renders)[]) {
        const [small, large] = sizes.map((size) => renders[name](shapes[shape](size), [], {}).length);
        expect(large! / small!).toBeLessThan(4.6);
      }
    },
  );
});
