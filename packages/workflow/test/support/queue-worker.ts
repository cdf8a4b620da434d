// Child process: node --import tsx -C colophon-source queue-worker.ts QUEUE ROOT. Takes paths of jobs from a folder, one after the other.
import { readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runJobAt } from '@colophon/workflow';
import { queueContext } from './queue.js';

const [, , queue = '', root = ''] = process.argv;
const context = queueContext(root);
process.stdout.write('ready\n');

for (;;) {
  const ticket = (await readdir(queue)).filter((name) => name.endsWith('.todo')).sort()[0];
  if (ticket === undefined) {
    await wait(5);
    continue;
  }
  const mine = join(queue, ticket.replace('.todo', `.${process.pid}.taken`));
  const took = await rename(join(queue, ticket), mine).then(
    () => true,
    () => false,
  );
  if (!took) continue;
  const path = await readFile(mine, 'utf8');
  const controller = new AbortController();
  const cancelled = join(queue, ticket.replace('.todo', '.cancel'));
  const beat = setInterval(() => {
    const now = new Date();
    utimes(mine, now, now).catch(() => undefined);
    readFile(cancelled, 'utf8').then(
      (reason) => controller.abort(new Error(reason)),
      () => undefined,
    );
  }, 10);
  const outcome = await runJobAt(path, context, { signal: controller.signal }).catch((error: Error) => error.message);
  clearInterval(beat);
  await writeFile(join(queue, ticket.replace('.todo', '.ended')), JSON.stringify(outcome));
  await rm(mine);
}
