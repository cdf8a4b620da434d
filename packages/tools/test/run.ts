import { type Message, parseOutput } from '@colophon/chat-format';
import { type Call, type RunContext, runCalls, type Tool } from '@colophon/tools';

export const now = () => new Date('2031-04-02T09:15:00.250Z');

/** A tool that takes anything. */
export const anyTool = (name: string, run: Tool['run'], more: Partial<Tool> = {}): Tool => ({
  name,
  description: `The tool ${name}`,
  parameters: { type: 'object' },
  run,
  ...more,
});

export const envelope = (message: Message | undefined): Record<string, unknown> =>
  parseOutput(message?.content)!.fields;

/** Runs calls and gives the envelopes. */
export const answer = async (calls: Call[], tools: Tool[], context: Partial<RunContext> = {}) => {
  const { outputs } = await runCalls(calls, tools, { now, ...context });
  return outputs.map(envelope);
};

/** Runs one call of a tool that returns or throws something. */
export const answerOne = async (run: Tool['run'], context: Partial<RunContext> = {}) => {
  const [output] = await answer([{ id: 'a1', name: 'probe', arguments: {} }], [anyTool('probe', run)], context);
  return output!;
};

export const exception = (output: Record<string, unknown> | undefined): string =>
  JSON.parse(String(output?.['content'])).exception;
