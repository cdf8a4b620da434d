// Opens a server, and ends without closing it: `hold-server.ts wait|throw|exit COMMAND…`.
import { createMcpClients } from '@colophon/tools/mcp';

const [ending, ...command] = process.argv.slice(2);
const clients = createMcpClients({ clientInfo: { name: 'holder', version: '1' }, environment: process.env });
await clients.tools({ kind: 'stdio', command });
process.stdout.write('open\n');
if (ending === 'throw')
  setTimeout(() => {
    throw new Error('nobody catches this');
  }, 300);
if (ending === 'exit') setTimeout(() => process.exit(0), 300);
