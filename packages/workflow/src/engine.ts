import type { Engine } from './job.js';

/** Runs jobs in this process; tasks of programs have a process of their own. */
export const localEngine: Engine = { name: 'local', run: (_, { work }) => work() };
