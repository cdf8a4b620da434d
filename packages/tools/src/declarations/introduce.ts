import { badDeclaration } from '../errors.js';
import type { Declaration } from './declaration.js';
import { findWorkflow } from './find-workflow.js';

/** `introduce: Workflow`: no tools, but a `user` message with the workflow's title and description, where it has any. */
export const introduce: Declaration = async ([name, ...more], message, sources) => {
  if (more.length > 0) throw badDeclaration(message, 'expected the name of one workflow and nothing behind it');
  const { name: workflowName, title, description } = await findWorkflow(name, message, sources);
  if (!title && !description) return {};
  const content = [`# ${title || workflowName}`, description].filter(Boolean).join('\n\n');
  return { messages: [{ role: 'user', content, ...(message.at ? { at: message.at } : {}) }] };
};
