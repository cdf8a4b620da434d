import { ColophonError } from './errors.js';
import { nearestName } from './workflow-names.js';

/** ` Did you mean "…"?` where one of the names is near, else nothing. */
export const hint = (name: string, names: readonly string[]): string => {
  const near = nearestName(name, names);
  return near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
};

/** `bad_workflow`: a definition that can't be meant. `place`: `workflow Kitchen`, `task mix of Kitchen`. */
export const badWorkflowError = (place: string, problem: string): ColophonError =>
  new ColophonError('bad_workflow', `${place}: ${problem}`, { place });

/** `unknown_task`: a workflow has no task of this name. */
export const unknownTaskError = (workflow: string, task: string, names: readonly string[]): ColophonError =>
  new ColophonError(
    'unknown_task',
    `The workflow ${workflow} has no task ${JSON.stringify(task)}.${hint(task, names)} It has ${names.join(', ') || 'none'}.`,
    { workflow, task },
  );

/** `dependency_cycle`: tasks that need each other, across workflows. */
export const dependencyCycleError = (chain: readonly string[]): ColophonError =>
  new ColophonError(
    'dependency_cycle',
    `Tasks need each other in a circle: ${chain.join(' → ')}. Take one of these dependencies out.`,
    { chain },
  );
