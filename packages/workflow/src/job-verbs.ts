import { abortJob } from './abort-job.js';
import { cleanJob, cleanRecursively } from './clean-job.js';
import type { Job } from './job.js';
import { loadResult } from './load-result.js';
import type { PlannedJob } from './plan.js';
import { produce } from './produce.js';
import { resultTypes } from './result-types.js';
import { toError } from './run-errors.js';
import { streamResult } from './stream-result.js';
import { readPlanned, waitForEnd } from './wait-for-end.js';

type Verbs = Pick<Job, 'run' | 'join' | 'load' | 'stream' | 'read' | 'clean' | 'recursiveClean' | 'abort'>;

const load = ({ path, type, name, plan: { context } }: PlannedJob) =>
  loadResult({ path, type, name, status: 'not known' }, context.resultTypes ?? resultTypes);

/** What can be done with a job. */
export const jobVerbs = (self: () => PlannedJob): Verbs => ({
  run: async (options) => {
    const [outcome] = await produce([self()], options);
    if (outcome?.exception) throw toError(outcome.exception);
    return load(self());
  },
  join: (options) => waitForEnd(self(), options),
  load: () => load(self()),
  stream: () => streamResult(self()),
  read: () => readPlanned(self()),
  clean: () => cleanJob(self()),
  recursiveClean: () => cleanRecursively(self()),
  abort: (reason = 'abort was asked for') => abortJob(self(), reason),
});
