import { checkEndpoint, type EndpointCheck, type EndpointInfo, listEndpoints } from '@colophon/backends';
import { createColors } from 'picocolors';
import { askContext } from '../ask-context.js';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { environmentBackends } from '../environment-backends.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

type Row = EndpointInfo & { check?: EndpointCheck };

const askEach = (endpoints: EndpointInfo[], context: MachineContext): Promise<Row[]> =>
  Promise.all(
    endpoints.map(async (endpoint) => {
      if (endpoint.problem !== undefined) return endpoint;
      try {
        return {
          ...endpoint,
          check: await checkEndpoint(endpoint.name, askContext(context), { signal: context.signal }),
        };
      } catch (error) {
        return { ...endpoint, problem: (error as Error).message };
      }
    }),
  );

const notes = ({ problem, ignored, check }: Row): string[] => [
  ...(problem === undefined ? [] : [problem]),
  ...(ignored.length > 0 ? [`${ignored.join(', ')} not counted: the file is not below your own root`] : []),
  ...(check === undefined ? [] : [check.detail]),
];

export const command = defineCommand({
  name: 'endpoints',
  description:
    'List the endpoints: files etc/AI/NAME.yaml below the roots, and the backends that environment variables set up. Keys are never shown, only where they come from.',
  options: [{ name: 'check', description: 'ask each whether it answers' }, jsonOption],
  examples: [
    ['colophon endpoints', 'what is configured, and where from'],
    ['colophon endpoints --check', 'the same, and whether it answers'],
  ],
  run: async ({ options }, context) => {
    const { stdout, stderr } = context;
    const listed = await listEndpoints(askContext(context));
    const endpoints: Row[] = options.check ? await askEach(listed, context) : listed;
    const fromEnvironment = (await environmentBackends(context)).filter(({ names }) => names.length > 0);
    if (options.json)
      return stdout.line(
        JSON.stringify(
          { endpoints, environment: fromEnvironment.map(({ backend, names }) => ({ backend, names })) },
          null,
          2,
        ),
      );

    const { dim, yellow, green } = createColors(stdout.color);
    if (endpoints.length > 0) {
      const rows = endpoints.map(({ name, backend = '', model = '', url = '', keySource = '', file }) => [
        name,
        backend,
        model,
        url,
        keySource,
        shownPath(file, context),
      ]);
      stdout.line(renderTable(['ENDPOINT', 'BACKEND', 'MODEL', 'URL', 'KEY', 'FROM'], rows, { paint: dim }));
      for (const row of endpoints)
        for (const note of notes(row)) stdout.line(`  ${row.name}: ${row.check?.answers ? green(note) : yellow(note)}`);
    }
    for (const { backend, names } of fromEnvironment) stdout.line(`-b ${backend}  ${dim(`by ${names.join(', ')}`)}`);
    if (endpoints.length + fromEnvironment.length === 0) {
      stderr.line(
        `no endpoint is configured: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or write ${context.userRoot}/etc/AI/NAME.yaml with lines like \`backend: openai\``,
      );
    }
  },
});
