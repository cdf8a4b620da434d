import { inspect } from 'node:util';
import { ColophonError } from './errors.js';
import { isPackageName, isWorkflowName } from './workflow-names.js';

type Place = { file: string; line: number; column?: number };

/** `workflow_missing`: a workflow's file can't be read. */
export const workflowMissingError = (file: string, cause: unknown): ColophonError =>
  new ColophonError(
    'workflow_missing',
    `Can't read the workflow ${file}: ${(cause as Error)?.message ?? cause}. Expected a file of TypeScript or JavaScript.`,
    { file, cause },
  );

/** `workflow_syntax`: a workflow, or what it imports, can't be read as what it is. */
export const workflowSyntaxError = (at: Place, problem: string, file: string, cause: unknown): ColophonError =>
  new ColophonError('workflow_syntax', `${problem}. Correct the file; nothing of it ran.`, {
    at,
    file,
    cause,
  });

/** `workflow_import`: a workflow imports what is not there. */
export const workflowImportError = (
  at: Place | undefined,
  specifier: string,
  file: string,
  cause: unknown,
): ColophonError =>
  new ColophonError(
    'workflow_import',
    /^[./]/.test(specifier)
      ? `Can't find ${JSON.stringify(specifier)}, looked for from the folder of the file that imports it. Correct the path.`
      : `Can't find the package ${JSON.stringify(specifier)}. Install it beside the workflow; only @colophon/workflow and zod come along.`,
    { at, file, specifier, cause },
  );

/** `workflow_load`: a workflow's code threw while it was loaded. */
export const workflowLoadError = (at: Place | undefined, file: string, cause: unknown): ColophonError => {
  const thrown =
    cause instanceof Error
      ? `${cause.name}: ${cause.message}`
      : typeof cause === 'string'
        ? cause
        : inspect(cause, { depth: 2 });
  return new ColophonError(
    'workflow_load',
    `${at ? '' : `${file}: `}The code threw while it was loaded: ${thrown.replace(/\(0 , \w+\.(\w+)\)/g, '$1')}`,
    { at, file, cause },
  );
};

/** `workflow_export`: a workflow's file exports no workflow. */
export const workflowExportError = (file: string, found: string): ColophonError =>
  new ColophonError(
    'workflow_export',
    `${found}; expected a workflow. Write: export default defineWorkflow({ name: '…', tasks: { … } })`,
    { at: { file, line: 1 }, file },
  );

/** `workflow_name`: a workflow is called otherwise than the folder that it was found by. */
export const workflowNameError = (file: string, name: string, folder: string, line: number): ColophonError =>
  new ColophonError(
    'workflow_name',
    `The workflow calls itself ${JSON.stringify(name)}, but is found as ${JSON.stringify(folder)}, by its folder. ` +
      'Jobs are kept under its name and find it by that: give both the same name.',
    { at: { file, line }, file, name, folder },
  );

const whereLooked = (name: string, places: readonly string[]): string => {
  if (places.length > 0) return `Looked at:\n${places.map((place) => `  ${place}`).join('\n')}`;
  return isWorkflowName(name) || isPackageName(name)
    ? `It is looked for as workflows/${name}/workflow.ts and Agent/${name}/workflow.ts below each root, and as an installed package.`
    : 'A name has letters, digits, "_", "-" and "." only.';
};

/** `unknown_workflow`: no workflow has this name; says where it was looked for, where that is known, and which name is near. */
export const unknownWorkflowError = (
  name: string,
  { places, near }: { places: readonly string[]; near?: string },
): ColophonError =>
  new ColophonError(
    'unknown_workflow',
    `There is no workflow ${JSON.stringify(name)}.${near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`} ${whereLooked(name, places)}`,
    { name, near, places },
  );
