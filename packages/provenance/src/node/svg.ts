import { pictureFailedError, pictureMissingError } from '../errors.js';

const load = async () => {
  try {
    return (await import('@hpcc-js/wasm-graphviz')).Graphviz;
  } catch (error) {
    throw pictureMissingError('@hpcc-js/wasm-graphviz', error);
  }
};

/**
 * Lays DOT source out and gives the picture as SVG. Graphviz runs as WebAssembly: nothing else has to be installed. The font is
 * named with what stands in for it where the SVG is shown.
 *
 * @throws ColophonError `picture_failed` where Graphviz can't read or lay out the source, `picture_missing` where it does not load.
 */
export const toSvg = async (dot: string): Promise<string> => {
  const Graphviz = await load();
  try {
    const graphviz = await Graphviz.load();
    const svg = graphviz.layout(dot, 'svg', 'dot');
    return svg.replaceAll('font-family="DejaVu Sans"', 'font-family="DejaVu Sans,Verdana,sans-serif"');
  } catch (error) {
    // Memory of an instance that failed may be spoiled.
    Graphviz.unload();
    throw pictureFailedError('SVG', error);
  }
};
