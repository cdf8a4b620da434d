import { type Answer, ask } from '@colophon/backends';
import { ColophonError } from '@colophon/chat-format';
import { withAgents } from './agent-context.js';
import { askContext } from './ask-context.js';
import { askInline } from './ask-inline.js';
import { toInput } from './ask-input.js';
import type { Given, OptionValues } from './command.js';
import type { MachineContext } from './context.js';
import { usageError } from './errors.js';
import { loadTools } from './load-tools.js';
import { readQuestion } from './read-question.js';
import { showPrompt } from './show-prompt.js';
import { badEnding, showRun } from './show-run.js';
import { showUnrecorded } from './show-unrecorded.js';
import { shownPath } from './shown-path.js';
import { type OpenSources, openSources } from './tool-sources.js';
import { jsonOption } from './write-result.js';

/** What `ask` and `agent ask` take. */
export const askOptions = [
  {
    name: 'chat',
    short: 'c',
    value: 'FILE',
    description: 'go on with this chat and append to it; it is made when missing',
    complete: 'chat',
  },
  {
    name: 'template',
    short: 't',
    value: 'FILE',
    description: 'a chat in which ??? is the question',
    complete: 'template',
  },
  {
    name: 'file',
    short: 'f',
    value: 'FILE',
    many: true,
    description: 'put this file before the question, as text',
    complete: 'file',
  },
  {
    name: 'import',
    short: 'i',
    value: 'FILE',
    many: true,
    description: 'import this chat before the question',
    complete: 'chat',
  },
  {
    name: 'inline',
    value: 'FILE',
    description: 'answer the `# ask: …` comments of this file in place',
    complete: 'file',
  },
  { name: 'dry-run', short: 'd', description: 'print the prompt that would be sent; nothing is sent or written' },
  {
    name: 'workflow',
    short: 'w',
    value: 'NAME',
    many: true,
    description: 'offer the tasks of this workflow as tools, or one as NAME/TASK',
    complete: 'workflow',
  },
  {
    name: 'tool',
    value: 'MODULE',
    many: true,
    description: 'offer the tools that this JavaScript module exports',
    complete: 'file',
  },
  { name: 'persist', description: 'keep the answer, and take it from there the next time' },
  { ...jsonOption, description: 'print one JSON object when all is done' },
] as const;

type Options = OptionValues<typeof askOptions>;

/** What is asked: the words of the question, and the agent that answers, where one does. */
export type Asked = Given<typeof askOptions> & { agent?: string };

const printJson = (
  { text, messages, stopReason, reason, tokens, cost, object, formatError, warnings }: Answer,
  file: string | undefined,
): string =>
  JSON.stringify({
    text,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stopReason,
    reason,
    tokens,
    cost,
    object,
    formatError,
    warnings,
    file,
  });

const askedInline = async (
  file: string,
  { options: given, words, agent }: Asked,
  sources: OpenSources,
  context: MachineContext,
) => {
  if (words.length > 0 || given.chat || given.template || given['dry-run']) {
    throw usageError('--inline asks the questions of the file: without words, -c, -t and -d', 'ask');
  }
  const { answered, skipped, problem } = await askInline(
    file,
    await callOptions(given, agent, sources, context),
    context,
  );
  if (given.json) context.stdout.line(JSON.stringify({ file, answered, skipped, problem }));
  context.log('info', `${file}: ${answered.length} answered${skipped > 0 ? `, ${skipped} answered before` : ''}`);
  if (problem !== undefined) context.log('error', `colophon: ${problem}`);
  return problem === undefined ? 0 : 1;
};

/** What is passed to `ask` from the command line. Options of this program stay out of it: an unknown name would reach the provider. */
const callOptions = async (given: Options, agent: string | undefined, open: OpenSources, context: MachineContext) => {
  const { sources, named } = open;
  const modules = given.tool ? await loadTools(given.tool, context) : [];
  const workflows = await Promise.all((given.workflow ?? []).map(named));
  const tools = [...modules, ...workflows.flat()];
  return {
    ...context.asked,
    ...(given.persist ? { persist: true } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    signal: given.chat ? context.signal : AbortSignal.any([context.signal, context.stdout.closed]),
    ...(agent === undefined ? {} : { agent }),
    context: withAgents(askContext(context, sources), open, context),
  };
};

const asked = async (question: Asked, sources: OpenSources, context: MachineContext) => {
  const { words, options: given, agent } = question;
  const name = agent === undefined ? 'ask' : 'agent ask';
  if (given.inline !== undefined) return askedInline(given.inline, question, sources, context);
  const messages = await readQuestion(
    { words, files: given.file, template: given.template, imports: given.import },
    context,
  );
  if (messages.length === 0 && given.chat === undefined) {
    throw usageError('nothing to ask: give a question, a chat (-c FILE), or pipe text in', name);
  }
  const input = await toInput(messages, given.chat, context);
  const asking = await callOptions(given, agent, sources, context);
  if (given['dry-run']) {
    await showPrompt(input, asking, given.json === true, context);
    return 0;
  }

  const shown = showRun(context, { quiet: given.json === true });
  const file = 'file' in input ? input.file : undefined;
  const goOn = (what: string) => {
    if (file === undefined) return;
    const words = Object.entries(context.asked).map(([name, value]) => ` --${name} ${value}`);
    context.log(
      'info',
      `${what}: \`colophon ${name}${agent === undefined ? '' : ` ${agent}`} -c ${shownPath(file, context)}${words.join('')}\` goes on`,
    );
  };
  try {
    const answer = await ask(input, { ...asking, onEvent: shown.onEvent, onProgress: shown.onProgress });
    if (context.stdout.closed.aborted) return 0;
    shown.finish(answer);
    if (given.json) context.stdout.line(printJson(answer, file));
    if (['aborted', 'budget', 'max_rounds'].includes(answer.stopReason)) goOn('what came so far is kept');
    else if (file !== undefined && answer.messages.length === 0)
      context.log('info', 'answered already; nothing was asked: give a question to go on');
    return badEnding(answer) === undefined ? 0 : 1;
  } catch (error) {
    shown.endLine();
    if (error instanceof ColophonError && error.code === 'request_failed') goOn('the question is kept');
    showUnrecorded(error, context);
    throw error;
  }
};

/** Asks what the command line says, prints the answer, and returns the exit code. */
export const runAsk = async (question: Asked, context: MachineContext): Promise<number> => {
  const sources = openSources(context, question.options['dry-run'] ? 'read' : 'run');
  try {
    return await asked(question, sources, context);
  } finally {
    await sources.close();
  }
};
