// Child process: node --import tsx -C colophon-source run-one.ts ROOT TASK [abort]
import { createJob, produce } from '@colophon/workflow';
import { oddContext } from './odd.js';

const [, , root = '', name = '', verb = 'produce'] = process.argv;
const job = await createJob('Odd', name, {}, { context: oddContext(root) });
if (verb === 'abort') await job.abort('another process asked for it');
else {
  const [produced] = await produce([job]);
  process.stdout.write(
    JSON.stringify({ status: produced?.status, reused: produced?.reused, exception: produced?.exception }),
  );
}
