import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { pictureFailedError, pictureMissingError } from '../errors.js';

const library = '@hpcc-js/wasm-graphviz';

const findLibrary = (): string => {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(library)).href;
  } catch (error) {
    throw pictureMissingError(library, error);
  }
};

// Laying out blocks for as long as it takes, and goes as deep as a chain is long: in a thread of its own it can be stopped, and has
// the stack for it. What Graphviz prints there is for those who write Graphviz.
const layOut = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.library)
  .then(({ Graphviz }) => Graphviz.load())
  .then((graphviz) => parentPort.postMessage(graphviz.layout(workerData.dot, 'svg', 'dot')));
`;

const stackMegabytes = 256;

/**
 * Lays DOT source out and gives the picture as SVG. Graphviz runs as WebAssembly: nothing else has to be installed. The font is
 * named with what stands in for it where the SVG is shown. Sessions of some thousand nodes take seconds.
 *
 * @throws ColophonError `picture_failed` where Graphviz can't read or lay out the source, `picture_missing` where it is not installed;
 *   the reason of `signal` where that is aborted.
 */
export const toSvg = async (dot: string, { signal }: { signal?: AbortSignal } = {}): Promise<string> => {
  signal?.throwIfAborted();
  const worker = new Worker(layOut, {
    eval: true,
    workerData: { library: findLibrary(), dot },
    resourceLimits: { stackSizeMb: stackMegabytes },
    stdout: true,
    stderr: true,
  });
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    const svg = await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('Graphviz ended without a picture')));
    });
    return svg.replaceAll('font-family="DejaVu Sans"', 'font-family="DejaVu Sans,Verdana,sans-serif"');
  } catch (error) {
    signal?.throwIfAborted();
    throw pictureFailedError('SVG', error);
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
};
