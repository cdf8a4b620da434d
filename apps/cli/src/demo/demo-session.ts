import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, type AskEvent, ask, loopSteps, replay } from '@colophon/backends';
import { type Chat, parseChat } from '@colophon/chat-format';
import { loadChat } from '@colophon/chat-format/node';
import { askContext } from '../ask-context.js';
import type { MachineContext } from '../context.js';
import { openSources } from '../tool-sources.js';
import type { LiveModel } from './live-models.js';

/** What a session left: the answer, the stored messages, and the prompt of its last request. */
export type DemoSession = { answer: Answer; stored: Chat; seen: Chat };

/** What the demo asks. */
export const demoQuestion = 'Which branch has a problem with overdue books?';

/** Milliseconds between the pieces of a recorded reply, where somebody watches. */
const watchedDelay = 25;

const recorded = async (context: MachineContext) => {
  const file = join(context.assets, 'demo', 'recorded.chat');
  const chat = parseChat(await readFile(file, 'utf8'), { file });
  return { backend: replay({ chat, chunk: 6, delay: context.stdout.isTerminal ? watchedDelay : 0 }) };
};

/** The machine as a demo's folder sees it: that is the first root, jobs and caches go there, and your own root is left alone. */
export const inFolder = (folder: string, context: MachineContext): MachineContext => ({
  ...context,
  roots: [{ path: folder, writable: true, trusted: true, origin: 'demo' }, ...context.roots],
  userRoot: folder,
});

/**
 * Asks the demo's question of its chat, and appends to that. The replies are recorded ones unless a live model is named; the
 * tools, which are jobs of the workflow beside the chat, run either way.
 */
export const runSession = async (
  folder: string,
  live: LiveModel | undefined,
  onEvent: (event: AskEvent) => void,
  context: MachineContext,
): Promise<DemoSession> => {
  const file = join(folder, 'library.chat');
  let seen: Chat = [];
  const { sources, close } = openSources(context);
  const answer = await ask(
    { file, question: demoQuestion },
    {
      ...(live === undefined
        ? await recorded(context)
        : { backend: live.backend, ...(live.model === undefined ? {} : { model: live.model }) }),
      signal: context.signal,
      context: askContext(context, sources),
      onEvent,
      steps: {
        request: (run, prompt) => {
          seen = prompt.chat;
          return loopSteps.request(run, prompt);
        },
      },
    },
  ).finally(close);
  return { answer, stored: await loadChat(file), seen };
};
