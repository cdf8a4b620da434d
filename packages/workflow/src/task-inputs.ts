import type { z } from 'zod';
import { dependencyCycleError, unknownTaskError } from './definition-errors.js';
import { unknownWorkflowError } from './load-errors.js';
import type { Task, Workflow } from './workflow.js';

/**
 * One input of a task. `workflow` and `task`: where it is declared; `inherited`: by a task that this one needs, whose job it is
 * passed on to; `required`: it has to be given.
 */
export type TaskInput = {
  name: string;
  schema: z.ZodType;
  workflow: string;
  task: string;
  inherited: boolean;
  required: boolean;
};

/** Finds a workflow by name, as `WorkflowContext` has it. */
export type FindWorkflow = (name: string) => Promise<Workflow | undefined>;

/** The task of a name. Throws `unknown_task`. */
export const taskOf = ({ name, tasks }: Workflow, task: string): Task => {
  if (Object.hasOwn(tasks, task)) return tasks[task]!;
  throw unknownTaskError(name, task, Object.keys(tasks));
};

/** The workflow of a dependency: the one at hand, or the one that it names. Throws `unknown_workflow`. */
export const workflowOf = async (
  name: string | undefined,
  workflow: Workflow,
  findWorkflow: FindWorkflow,
): Promise<Workflow> => {
  if (name === undefined || name === workflow.name) return workflow;
  const found = await findWorkflow(name);
  if (found) return found;
  throw unknownWorkflowError(name, { places: [] });
};

const isRequired = async (schema: z.ZodType): Promise<boolean> => !(await schema.safeParseAsync(undefined)).success;

/**
 * All inputs of a task, in order: its own, then those of the tasks that it needs, recursively, without those that are fixed
 * there. Of several of one name the first counts. Those that a function may fix need not be given. Throws `unknown_task`,
 * `unknown_workflow`, `dependency_cycle`. Cost: each task below is looked at once; with one `known` for several tasks, once for
 * all of them.
 */
export const taskInputs = async (
  workflow: Workflow,
  task: string,
  findWorkflow: FindWorkflow,
  known = new Map<string, TaskInput[]>(),
): Promise<TaskInput[]> => {
  const chain: string[] = [];
  const collect = async (owner: Workflow, name: string): Promise<TaskInput[]> => {
    const label = `${owner.name} ${name}`;
    const before = known.get(label);
    if (before) return before;
    if (chain.includes(label)) throw dependencyCycleError([...chain.slice(chain.indexOf(label)), label]);
    const { input, needs = {} } = taskOf(owner, name);
    chain.push(label);
    const found = new Map<string, TaskInput>();
    for (const [key, schema] of Object.entries((input?.shape ?? {}) as Record<string, z.ZodType>))
      found.set(key, {
        name: key,
        schema,
        workflow: owner.name,
        task: name,
        inherited: false,
        required: await isRequired(schema),
      });
    for (const { workflow: other, task: needed, inputs: fixed = {} } of Object.values(needs)) {
      const below = await collect(await workflowOf(other, owner, findWorkflow), needed);
      for (const one of below) {
        if (found.has(one.name) || (typeof fixed !== 'function' && Object.hasOwn(fixed, one.name))) continue;
        found.set(one.name, { ...one, inherited: true, required: one.required && typeof fixed !== 'function' });
      }
    }
    chain.pop();
    const list = [...found.values()];
    known.set(label, list);
    return list;
  };
  return collect(workflow, task);
};
