import { existsSync, writeSync } from 'node:fs';
import { preparePrompt } from '@colophon/prompt-strategies';

// Reads the inbox of a chat until a file named `stop` stands beside it, and prints `ready`, then each note that it is given.
const [saveFile = ''] = process.argv.slice(2);
writeSync(1, 'ready\n');
for (;;) {
  const isLast = existsSync(`${saveFile}.stop`);
  const { chat } = await preparePrompt([], 'inbox', { saveFile });
  for (const { content } of chat) writeSync(1, `${content}\n`);
  if (isLast) break;
  await new Promise((resolve) => setTimeout(resolve, 1));
}
