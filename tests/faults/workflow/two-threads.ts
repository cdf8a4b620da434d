// Child process: node --import tsx -C colophon-source two-threads.ts ROOT TASK. Two threads want one job.
import { isMainThread, Worker } from 'node:worker_threads';

// A thread of an address has no script among its words.
const words = ['run-one', ...process.argv.slice(2)];
const thread = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const source = `
      import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
      register();
      await import(${JSON.stringify(new URL('run-one.ts', import.meta.url).href)});`;
    new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { argv: words })
      .on('error', reject)
      .on('exit', () => resolve());
  });
if (isMainThread) await Promise.all([thread(), thread()]);
