import { checkRegistry, type Tool } from '@colophon/tools';
import { serveMcp } from '@colophon/tools/mcp';
import manifest from '../../package.json' with { type: 'json' };
import { defineCommand } from '../command.js';
import { usageError } from '../errors.js';
import { namedTools } from '../named-tools.js';
import { watchJobs } from '../watch-jobs.js';

/** `[HOST:]PORT`; a host may be an IPv6 address in brackets. */
const readPlace = (place: string): { host?: string; port: number } => {
  const [, host, port] = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(place) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw usageError(`--http ${place}: expected a port, or HOST:PORT`, 'mcp');
  return { port: Number(port), ...(host === undefined ? {} : { host: host.replace(/^\[|\]$/g, '') }) };
};

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

export const command = defineCommand({
  name: 'mcp',
  description:
    'Serve workflows as tools over MCP: to the program that starts this one, over standard input and output, or with --http to many. A name is a workflow, of which the exported tasks are served (all where none is exported), or Workflow/task; `analyst` serves the reports on sessions. Each call of a task is a job; one that is done is not run again. Served by HTTP to other machines than this one, a key is needed: COLOPHON_MCP_KEY in the environment, which clients send as `Authorization: Bearer …`.',
  arguments: [{ name: 'NAME', description: 'a workflow, or Workflow/task', many: true, complete: 'workflow' }],
  options: [{ name: 'http', value: 'PLACE', description: 'serve by HTTP at this [HOST:]PORT; 0 takes a free port' }],
  examples: [
    ['colophon mcp Kitchen', 'what a client starts: {"command": "colophon", "args": ["mcp", "Kitchen"]}'],
    ['colophon mcp Kitchen Garden/plant --http 4100', 'by HTTP on this machine'],
    ['colophon mcp analyst', 'reports on persisted sessions'],
  ],
  run: async ({ words, options }, context) => {
    const place = options.http === undefined ? undefined : readPlace(options.http);
    const tools: Tool[] = [];
    const jobs = watchJobs();
    // A client elsewhere could not read a path.
    const jobTools = { returnPath: false, onWait: jobs.onWait };
    for (const name of words) tools.push(...(await namedTools(name, context, jobTools)));
    checkRegistry(tools);
    const { now, randomId, signal, log, environment } = context;
    const bearer = environment['COLOPHON_MCP_KEY'];
    if (place?.host !== undefined && !isLocal(place.host) && !bearer)
      throw usageError(
        `--http ${options.http}: other machines could call these tools; set COLOPHON_MCP_KEY to a key that they must send`,
        'mcp',
      );
    const serving = await serveMcp(tools, {
      name: manifest.name,
      version: manifest.version,
      transport:
        place === undefined ? { kind: 'stdio' } : { kind: 'http', ...place, randomId, ...(bearer ? { bearer } : {}) },
      now,
      signal,
      onWarning: (text) => log('warn', `colophon: ${text}`),
    });
    log(
      'info',
      `serving ${tools.map(({ name }) => name).join(', ')}${serving.address ? ` at ${serving.address}` : ''}`,
    );
    await serving.ended;
    await jobs.ended();
    return 0;
  },
});
