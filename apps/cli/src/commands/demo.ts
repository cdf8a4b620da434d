import { confirm, isCancel } from '@clack/prompts';
import { type Chat, ColophonError } from '@colophon/chat-format';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { findLiveModels, type LiveModel } from '../demo/live-models.js';
import { runDemo, runQuietly } from '../demo/run-demo.js';
import { badEnding } from '../show-run.js';
import { jsonOption } from '../write-result.js';

const describe = ({ backend, model, by }: LiveModel) => `${model ?? backend}, by ${by}`;

/** Offers the same with a live model: asks on a terminal, and only there; elsewhere says how. */
const offerLive = async (
  { stdin, stdout, program }: MachineContext,
  [model]: readonly LiveModel[],
): Promise<LiveModel | undefined> => {
  if (model === undefined) return undefined;
  if (!stdin.isTTY || !stdout.isTerminal) {
    stdout.line(`\n  The same with a live model (${describe(model)}): ${program} demo --live`);
    return undefined;
  }
  stdout.line();
  const yes = await confirm({ message: `The same with a live model (${describe(model)})?`, initialValue: false });
  return isCancel(yes) || !yes ? undefined : model;
};

export const command = defineCommand({
  name: 'demo',
  description:
    "Watch a session end to end, without any key or network: a chat file is asked, tools run, the answer is appended, and you see what the model saw and what was recorded. The model's replies come from a recording; the tools run for real, in a temporary copy of an example folder. With OPENAI_API_KEY, ANTHROPIC_API_KEY or a running Ollama the same is offered with a live model.",
  options: [
    { name: 'live', description: 'ask a live model, not the recording' },
    { ...jsonOption, description: 'show nothing; print what the session left as JSON' },
  ],
  examples: [
    ['colophon demo', 'the recorded session'],
    ['colophon demo --live', 'the same with a model that answers now'],
  ],
  run: async ({ options }, context) => {
    const models = await findLiveModels(context);
    if (options.live && models.length === 0) {
      throw new ColophonError(
        'no_live_model',
        'no live model is at hand: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or start Ollama with a model',
      );
    }
    const model = options.live ? models[0] : undefined;
    if (options.json) {
      const { answer, stored, seen, folder } = await runQuietly(model, context);
      const plain = (chat: Chat) => chat.map(({ role, content }) => ({ role, content }));
      context.stdout.line(
        JSON.stringify(
          {
            folder,
            text: answer.text,
            stopReason: answer.stopReason,
            tokens: answer.tokens,
            stored: plain(stored),
            seen: plain(seen),
          },
          null,
          2,
        ),
      );
      return badEnding(answer) === undefined ? 0 : 1;
    }
    const first = await runDemo(model, context);
    const bad = badEnding(first.answer);
    if (bad !== undefined) {
      context.log('error', `colophon: ${bad}`);
      return 1;
    }
    const live = options.live ? undefined : await offerLive(context, models);
    if (live !== undefined) await runDemo(live, context);
    return 0;
  },
});
