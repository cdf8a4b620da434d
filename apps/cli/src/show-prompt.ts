import { type AskInput, type AskOptions, previewRequest } from '@colophon/backends';
import { printChat } from '@colophon/chat-format';
import { createColors } from 'picocolors';
import type { MachineContext } from './context.js';

/** Prints the prompt that would be sent, as chat text or with all of the request as JSON. Nothing is sent, run or written. */
export const showPrompt = async (
  input: AskInput,
  options: AskOptions & { context: NonNullable<AskOptions['context']> },
  json: boolean,
  { stdout, stderr, log }: MachineContext,
): Promise<void> => {
  const preview = await previewRequest(input, { ...options, context: { ...options.context, policy: 'read' } });
  if (json) return stdout.line(JSON.stringify(preview, null, 2));
  const { backend, model, chat, tools, parameters } = preview;
  const said = [
    `would ask ${model} (${backend})`,
    ...(tools.length > 0 ? [`tools ${tools.map(({ name }) => name).join(', ')}`] : []),
    ...Object.entries(parameters).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ];
  log('info', createColors(stderr.color).dim(said.join(' · ')));
  stdout.line(printChat(chat));
};
