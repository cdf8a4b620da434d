import type { Chat, Message } from '@colophon/chat-format';
import type { CompileContext, JobHandle } from '../context.js';
import { askEngine, engineFor, signalOf } from '../engine.js';
import { notAllowedError, showChain } from '../errors.js';
import { type InputsLine, parseInputsLine } from '../inputs-line.js';
import { resultText } from '../result-text.js';

/** What stays of a task in the chat, until its job is put in. */
const jobRoles: Record<string, string | null> = { task: 'job', inline_task: 'inline_job', exec_task: null };

/**
 * Whether an `mcp` line may start a program. Its words are split later, as a shell does, without those that begin with `as=`: a server
 * whose name is not written plainly counts as `stdio`.
 */
const mayStart = (content: string): boolean => {
  const server = content.split(/\s+/).find((word) => word !== '' && !word.startsWith('as=')) ?? '';
  return server === 'stdio' || /["'\\]/.test(server);
};

const executes = ({ role, content }: Message): boolean =>
  Object.hasOwn(jobRoles, role) || (role === 'mcp' && mayStart(content));

const refuseToExecute = (chat: Chat, context: CompileContext): void => {
  const message = chat.find(executes);
  if (!message) return;
  const chain = context.chain && context.origin ? showChain(context, context.origin) : undefined;
  throw notAllowedError(message, context.policy, 'a directive that executes something', chain);
};

const execute = async (line: InputsLine, message: Message, context: CompileContext): Promise<Message> => {
  const result = await askEngine(message, context, (engine) =>
    engine.execute(line.workflow, line.task, line.inputs, signalOf(context)),
  );
  return { ...message, role: 'user', content: resultText(result, message) };
};

/**
 * Makes jobs of `task` and `inline_task`, produces them together, and leaves `job` and `inline_job` messages; runs each
 * `exec_task` and leaves its result as a `user` message. Every line is read before anything runs.
 *
 * @throws ColophonError `invalid_inputs`, `no_workflows`, `task_failed`, `not_json`; under the policy `read` `not_allowed` for these
 * roles and for `mcp: stdio …`.
 */
export const tasks = async (chat: Chat, context: CompileContext): Promise<Chat> => {
  if (context.policy === 'inspect') return chat;
  if (context.policy === 'read') refuseToExecute(chat, context);
  const lines = new Map<Message, InputsLine>();
  for (const message of chat) {
    if (!Object.hasOwn(jobRoles, message.role)) continue;
    lines.set(message, parseInputsLine(message.content, message));
    engineFor(message, context);
  }
  const jobs: JobHandle[] = [];
  const result: Chat = [];
  let first: Message | undefined;
  for (const message of chat) {
    const line = lines.get(message);
    const role = jobRoles[message.role];
    if (!line) result.push(message);
    else if (!role) result.push(await execute(line, message, context));
    else {
      first ??= message;
      const { workflow, task, inputs, name } = line;
      const job = await askEngine(message, context, (engine) =>
        engine.job(workflow, task, inputs, {
          ...(name === undefined ? {} : { name }),
          ...(context.requestContext ? { requestContext: context.requestContext } : {}),
        }),
      );
      jobs.push(job);
      result.push({ ...message, role, content: job.path });
    }
  }
  if (first) {
    const message = first;
    await askEngine(message, context, (engine) => engine.produce(jobs, signalOf(context)));
  }
  return result;
};
