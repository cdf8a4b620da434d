// Child process: node --import tsx -C colophon-source produce-graph.ts ROOT [CONCURRENCY]
import { createJob, produce } from '@colophon/workflow';
import { graphContext } from './graph.js';

const [, , root = '', concurrency = '4'] = process.argv;
const last = await createJob('Graph', 'last', {}, { context: graphContext(root) });
process.stdout.write('ready\n');
const [produced] = await produce([last], { concurrency: Number(concurrency) });
if (produced?.exception) {
  console.error(produced.exception);
  process.exit(1);
}
