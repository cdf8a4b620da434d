// Serves the tools of `served-tools.ts` over stdio: `serve-tools.ts [note]`.
import { serveMcp } from '@colophon/tools/mcp';
import { servedTools } from './served-tools.js';

const serving = await serveMcp(servedTools(process.argv[2]), {
  name: 'fruit',
  version: '1.2.3',
  transport: { kind: 'stdio' },
  now: () => new Date(),
  toolContext: { user: 'Ada' },
});
await serving.ended;
console.log('over');
