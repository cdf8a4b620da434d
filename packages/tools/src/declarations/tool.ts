import { unknownName } from '../errors.js';
import type { Declaration } from './declaration.js';
import { findWorkflow } from './find-workflow.js';
import { narrowInputs } from './narrow-inputs.js';

/** `tool: Workflow [task [input…] [name=value…]]`: a workflow's exported tasks, or one task with the inputs that are named. */
export const tool: Declaration = async ([workflowName, taskName, ...inputs], message, sources) => {
  const workflow = await findWorkflow(workflowName, message, sources);
  if (taskName === undefined) {
    const { exported = [] } = workflow;
    return {
      tools: exported.length > 0 ? workflow.tools.filter(({ name }) => exported.includes(name)) : workflow.tools,
    };
  }
  const task = workflow.tools.find(({ name }) => name === taskName);
  if (!task)
    throw unknownName(
      message,
      'task',
      taskName,
      workflow.tools.map(({ name }) => name),
    );
  return {
    tools: [inputs.length > 0 ? { ...task, parameters: narrowInputs(task.parameters, inputs, message) } : task],
  };
};
