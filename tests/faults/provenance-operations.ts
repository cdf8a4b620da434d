import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

/** How often the busiest block of each function runs, by file, name and place of the function. */
export type Operations = Map<string, number>;

/**
 * Counts the work of our packages while something runs: a measure that is the same on every machine. What the runtime does inside one
 * call (copying a text, say) is not counted. To be called before what is counted has ever run.
 */
export const operationCounter = async () => {
  // Else the first calls of a function are not counted, nor those before it rested for a while.
  setFlagsFromString('--no-lazy-feedback-allocation');
  setFlagsFromString('--no-flush-bytecode');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

  const count = async (run: () => Promise<unknown>): Promise<Operations> => {
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Map(
      result
        .filter(({ url }) => /\/packages\/[^/]+\/src\//.test(url))
        .flatMap(({ url, functions }) =>
          functions.map(({ functionName, ranges }) => [
            `${url.replace(/.*\/packages\//, '')} ${functionName} ${ranges[0]!.startOffset}`,
            ranges.reduce((most, { count: times }) => Math.max(most, times), 0),
          ]),
        ),
    );
  };
  return { count, close: () => session.disconnect() };
};

// Sorting and trees of sums take four times the work and a little more.
const most = 8;

/**
 * Functions in which the work grows faster than the four times that their input does. What hardly runs tells nothing; functions that
 * are made anew at each call are now and then forgotten before they are counted.
 */
export const growingTooFast = (few: Operations, many: Operations): string[] =>
  [...many]
    .filter(([name, count]) => count > 1000 && few.has(name) && count / Math.max(1, few.get(name)!) > most)
    .map(([name, count]) => `${name}: ${few.get(name)}, then ${count}`);
