import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.js';

export default defineConfig(
  library({
    index: 'src/index.ts',
    'mcp/index': 'src/mcp/index.ts',
    'knowledge-base/index': 'src/knowledge-base/index.ts',
  }),
);
