import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { invalidTool } from '../errors.js';
import { isRecord } from '../is-record.js';
import { jsonText } from '../json-text.js';
import { messageOf } from '../message-of.js';
import { runCalls } from '../run-calls.js';
import type { Progress, Tool } from '../tool.js';
import { toolDefinition } from '../tool-definition.js';
import type * as sdkServer from './sdk-server.js';
import type { ServeOptions } from './serve-options.js';
import { toCallResult } from './to-call-result.js';

const annotationsOf = ({ readOnly, destructive, idempotent }: Tool): Record<string, boolean> => ({
  ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
  ...(destructive === undefined ? {} : { destructiveHint: destructive }),
  ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
});

// Arguments are always an object, and clients refuse a list with a schema that does not say so.
const toListed = (tool: Tool): unknown => {
  const { name, description, parameters } = toolDefinition(tool);
  const annotations = annotationsOf(tool);
  const listed = { name, description, inputSchema: { ...parameters, type: 'object' } };
  try {
    return JSON.parse(jsonText(Object.keys(annotations).length > 0 ? { ...listed, annotations } : listed) ?? '');
  } catch (error) {
    throw invalidTool(`\`${name}\``, `its parameters can't be written as JSON (${messageOf(error)})`);
  }
};

/** The tools as the protocol lists them. Throws `invalid_tool` for one that JSON can't hold. */
export const toListedTools = (tools: readonly Tool[]): unknown[] => tools.map(toListed);

/**
 * One side of a session: answers what tools there are, and calls of them by way of `runCalls`, so that whatever goes wrong with a call is a
 * result that says so. Progress is told to a client that asks for it; a cancelled request aborts its call.
 */
export const createServer = (
  sdk: typeof sdkServer,
  tools: readonly Tool[],
  listed: unknown[],
  { name, version, now, timeLimit, maxContentLength = Number.POSITIVE_INFINITY, toolContext, onWarning }: ServeOptions,
): Server => {
  const server = new sdk.Server({ name, version }, { capabilities: { tools: {} } });
  server.onerror = (error) => onWarning?.(messageOf(error));
  server.setRequestHandler(sdk.ListToolsRequestSchema, async () => ({ tools: listed }));

  // Read leniently, which no handler of `tools/call` is: what is wrong with a call's arguments is for the model to know.
  server.fallbackRequestHandler = async ({ method, params }, { signal, requestId, _meta, sendNotification }) => {
    if (method !== 'tools/call') throw new sdk.McpError(sdk.ErrorCode.MethodNotFound, 'Method not found');
    const sent: Record<string, unknown> = isRecord(params) ? params : {};
    const progressToken = _meta?.progressToken;
    let step = 0;
    const tell = ({ message, done, total }: Progress): void => {
      if (progressToken === undefined) return;
      // The protocol wants it to rise with each; where a tool tells no figures, it counts.
      step = Math.max(step + (done === undefined ? 1 : 0), done ?? 0);
      const progress = { progressToken, progress: step, message, ...(total === undefined ? {} : { total }) };
      sendNotification({ method: 'notifications/progress', params: progress }).catch(() => {});
    };
    const call = { id: `request-${requestId}`, name: String(sent['name'] ?? ''), arguments: sent['arguments'] ?? {} };
    const { outputs } = await runCalls([call], tools, {
      now,
      signal,
      timeLimit,
      maxContentLength,
      toolContext,
      onProgress: tell,
    });
    return toCallResult(outputs[0]!);
  };
  return server;
};
