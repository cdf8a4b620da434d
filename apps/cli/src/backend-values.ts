import { backends, listEndpoints } from '@colophon/backends';
import { askContext } from './ask-context.js';
import type { Candidate } from './complete-words.js';
import type { MachineContext } from './context.js';

/** The endpoints of this machine, for completion. */
export const endpointValues = async (context: MachineContext): Promise<Candidate[]> => {
  const found = await listEndpoints(askContext({ ...context, log: () => {} }));
  return found.map(({ name, backend = '', model = '' }) => ({
    value: name,
    description: `${backend} ${model}`.trim(),
  }));
};

/** The built-in backends, for completion. */
export const backendValues = (): Candidate[] => Object.keys(backends).map((value) => ({ value, description: '' }));
