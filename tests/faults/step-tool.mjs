import { appendFileSync } from 'node:fs';

/** Says what it ran in a file beside the chat, so that a test can tell what a killed process had begun. */
export const step = {
  name: 'step',
  description: 'One step of the work.',
  parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  run: async ({ number }, { callId }) => {
    appendFileSync(process.env.STEP_LOG, `${callId}\n`);
    await new Promise((resolve) => setTimeout(resolve, 2));
    return `step ${number} done`;
  },
};
