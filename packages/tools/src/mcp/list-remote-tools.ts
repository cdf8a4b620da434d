import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../is-record.js';
import { messageOf } from '../message-of.js';
import type { JsonSchema, Tool } from '../tool.js';
import { validate } from '../validate.js';
import { joinSignals, longestTime } from './join-signals.js';
import { toToolNames } from './tool-names.js';
import { withQuickPatterns } from './with-quick-patterns.js';

/** A tool as a server tells it: its own name, and ours for it with all that our tools say. */
export type RemoteTool = { remoteName: string } & Omit<Tool, 'run'>;

// A server that never stops giving pages is cut here.
const mostPages = 1_000;

const readPages = async (
  client: Client,
  schema: typeof ResultSchema,
  options: { signal: AbortSignal },
  warn: (text: string) => void,
): Promise<unknown[]> => {
  const listed: unknown[] = [];
  const seen = new Set<unknown>();
  for (let cursor: unknown; ; ) {
    const params = cursor === undefined ? {} : { cursor };
    // Read without the SDK's schema: it refuses the whole list for one odd tool.
    const { signal, release } = joinSignals(options.signal);
    const page = await client
      .request({ method: 'tools/list', params }, schema, { signal, timeout: longestTime })
      .finally(release);
    for (const tool of Array.isArray(page['tools']) ? page['tools'] : []) listed.push(tool);
    cursor = page['nextCursor'];
    if (cursor === undefined || cursor === null || cursor === '') return listed;
    if (seen.has(cursor) || seen.size === mostPages) {
      warn('its list of tools never ends; what came so far is taken');
      return listed;
    }
    seen.add(cursor);
  }
};

const described = (property: unknown): JsonSchema =>
  isRecord(property) && typeof property['description'] === 'string' ? { description: property['description'] } : {};

// Inputs by name and description: what the model needs, and nothing that could fail to compile. The server checks by itself.
const withoutTypes = (schema: JsonSchema): JsonSchema => ({
  type: 'object',
  ...(isRecord(schema['properties'])
    ? {
        properties: Object.fromEntries(
          Object.entries(schema['properties']).map(([name, property]) => [name, described(property)]),
        ),
      }
    : {}),
});

const readSchema = async (sent: JsonSchema): Promise<{ schema: JsonSchema } | { problem: string }> => {
  try {
    const schema = withQuickPatterns(sent);
    const validation = await validate(schema, {});
    return validation.kind === 'bad_schema' ? validation : { schema };
  } catch (error) {
    // One that is nested without end.
    return { problem: messageOf(error) };
  }
};

const toParameters = async (schema: unknown, name: string, warn: (text: string) => void): Promise<JsonSchema> => {
  if (!isRecord(schema)) {
    warn(`its tool \`${name}\` has no schema; any arguments are passed on`);
    return { type: 'object' };
  }
  const read = await readSchema(schema);
  if (!('problem' in read)) return read.schema;
  warn(`the schema of its tool \`${name}\` can't be read (${read.problem}); arguments are passed on unchecked`);
  return withoutTypes(schema);
};

const hints = (annotations: unknown): Pick<Tool, 'readOnly' | 'destructive' | 'idempotent'> => {
  const read = (name: string) => (isRecord(annotations) ? annotations[name] : undefined);
  const [readOnly, destructive, idempotent] = ['readOnlyHint', 'destructiveHint', 'idempotentHint'].map(read);
  return {
    ...(typeof readOnly === 'boolean' ? { readOnly } : {}),
    ...(typeof destructive === 'boolean' ? { destructive } : {}),
    ...(typeof idempotent === 'boolean' ? { idempotent } : {}),
  };
};

const isNamed = (tool: unknown): tool is Record<string, unknown> & { name: string } =>
  isRecord(tool) && typeof tool['name'] === 'string';

// Such tools answer by way of `tasks/get`, which is an experiment of the protocol.
const needsTask = (tool: Record<string, unknown>): boolean =>
  isRecord(tool['execution']) && tool['execution']['taskSupport'] === 'required';

/**
 * All tools of a server, page by page. What can't be taken (no name, a name twice, a tool that only runs as a task of the protocol)
 * is left out with a warning; a pattern that could take for ever is told in a description; a schema that can't be compiled loses its types and keeps the names of its inputs.
 */
export const listRemoteTools = async (
  client: Client,
  schema: typeof ResultSchema,
  options: { signal: AbortSignal },
  warn: (text: string) => void,
): Promise<RemoteTool[]> => {
  const listed = client.getServerCapabilities()?.tools ? await readPages(client, schema, options, warn) : [];
  const byName = new Map<string, Record<string, unknown>>();
  for (const tool of listed) {
    if (!isNamed(tool)) warn('one of its tools has no name and is left out');
    else if (byName.has(tool.name)) warn(`two of its tools are named \`${tool.name}\`; the first one counts`);
    else if (needsTask(tool)) warn(`its tool \`${tool.name}\` runs as a task of the protocol only and is left out`);
    else byName.set(tool.name, tool);
  }
  if (byName.size === 0) warn('it has no tools');
  const names = toToolNames([...byName.keys()]);
  const tools: RemoteTool[] = [];
  for (const [remoteName, { description, title, inputSchema, annotations }] of byName) {
    tools.push({
      remoteName,
      name: names.get(remoteName)!,
      description: [description, title].find((text): text is string => typeof text === 'string') ?? '',
      parameters: await toParameters(inputSchema, remoteName, warn),
      ...hints(annotations),
    });
  }
  return tools;
};
