import { copyFile } from 'node:fs/promises';
import { chatTask, createAgent, receiptOf } from '@colophon/agent';
import type { DirectBackend, ReplyCall } from '@colophon/backends';
import { nodeContext as askContext } from '@colophon/backends/node';
import { chatResultType } from '@colophon/chat-compile';
import type { Chat, Message } from '@colophon/chat-format';
import { type Tool, toolResult } from '@colophon/tools';
import { createJob, defineWorkflow, resultTypes } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import type { Json, Place } from '../vector.js';

const context = ({ root }: Place) => askContext({ workingDirectory: root });

const types = { ...resultTypes, chat: chatResultType };

/** The result of a task that an agent does, which begins with a start chat and then says the rest of these messages. */
export const saveAgentResult = async (
  { start_messages: start, messages, path }: { start_messages: Chat; messages: Chat; path: string },
  place: Place,
): Promise<void> => {
  const answer = chatTask({
    agent: { name: 'Writer', start },
    options: { context: context(place) },
    run: (agent) => {
      for (const { role, content } of messages.slice(start.length)) agent.message(role, content);
      return agent;
    },
  });
  const workflow = defineWorkflow({ name: 'Desk', tasks: { answer } }, { types });
  const jobs = nodeContext({ roots: [place.root], resultTypes: types });
  const job = await createJob(workflow, 'answer', {}, { context: jobs });
  await job.run();
  await copyFile(job.path, path);
};

const meta = (content: string): Message => ({ role: 'meta', content });

/** A tool that an agent answers with these records. */
export const agentTool = (name: string, { answer, meta: records = [] }: Json): Tool => ({
  name,
  description: '',
  parameters: { type: 'object', properties: {} },
  run: () => {
    const said: Chat = [...records.map(meta), { role: 'assistant', content: answer }];
    return toolResult({ content: answer, meta: receiptOf(said) });
  },
});

const saying = (name: string, replies: (Partial<{ calls: ReplyCall[] }> & { text?: string })[]): DirectBackend => ({
  name,
  reply: () => {
    const { text, calls = [] } = replies.shift() ?? {};
    return { messages: text === undefined ? [] : [{ role: 'assistant', content: text }], calls };
  },
});

/** The outputs of one round in which a manager hands all calls to one agent, whose conversation goes on from call to call. */
export const callOneAgent = async (calls: Json[], answers: string[], place: Place): Promise<Message[]> => {
  const replies = calls.map(({ id, arguments: given }) => ({
    id,
    name: 'hand_off_to_helper',
    arguments: { message: given.prompt },
  }));
  const helper = { name: 'Helper', start: [{ role: 'backend', content: 'helper' }] };
  const backends = {
    manager: saying('manager', [{ calls: replies }, { text: 'done' }]),
    helper: saying(
      'helper',
      answers.map((text) => ({ text })),
    ),
  };
  const manager = createAgent(
    { name: 'Manager', start: [] },
    { context: context(place), options: { backends, defaults: { backend: 'manager' } } },
  );
  manager.delegate(createAgent(helper, { context: context(place) }), 'helper', 'Helps.').user('go');
  await manager.chat();
  const outputs = manager.messages.filter(({ role }) => role === 'function_call_output');
  return calls.map(({ id }) => outputs.find(({ content }) => JSON.parse(content).id === id)!);
};
