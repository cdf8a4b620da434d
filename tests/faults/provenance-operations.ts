import { Session } from 'node:inspector/promises';

/**
 * How often the blocks of our packages run while `run` does: a measure of work that is the same on every machine. What the runtime does
 * inside one call (copying a text, sorting without a comparison of ours) is not counted.
 */
export const countOperations = async (run: () => Promise<unknown>): Promise<number> => {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => /\/packages\/[^/]+\/src\//.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    session.disconnect();
  }
};
