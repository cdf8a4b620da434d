import { createHash } from 'node:crypto';
import { type Chat, type Message, parseCall, parseOutput, printCall } from '@colophon/chat-format';
import { toolDefinition } from '@colophon/tools';
import { stringify } from 'safe-stable-stringify';
import type { RequestOptions } from './backend.js';
import type { Prompt } from './prepare.js';
import { requestOptions } from './request-options.js';
import type { Run } from './run.js';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

// Ids of calls are made anew each time, time stamps and job paths differ from run to run: none of them changes what is asked.
const withoutVolatile = (chat: Chat): Chat => {
  const ids = new Map<string, string>();
  const rename = (id: string | undefined): { id?: string } => {
    if (id === undefined) return {};
    const name = ids.get(id) ?? `call_${ids.size + 1}`;
    ids.set(id, name);
    return { id: name };
  };
  return chat.map(({ role, content }): Message => {
    const call = role === 'function_call' || role === 'mcp_call' ? parseCall(content) : undefined;
    if (call) return { role, content: printCall({ ...rename(call.id), name: call.name, arguments: call.arguments }) };
    const output = role === 'function_call_output' ? parseOutput(content) : undefined;
    if (!output) return { role, content };
    const { id, name, error } = output;
    return { role, content: JSON.stringify({ ...rename(id), name, content: output.content, error }) };
  });
};

// A file counts by what it holds.
const withoutPaths = (chat: Chat, { context }: Run): Promise<Chat> =>
  Promise.all(
    chat.map(async (message) => {
      const { role, content } = message;
      if ((role !== 'image' && role !== 'pdf') || /^(?:https?|data):/i.test(content.trim())) return message;
      const bytes = await context.files.readBytes(content.trim()).catch(() => undefined);
      return bytes ? { role, content: `sha256:${sha256(bytes)}` } : message;
    }),
  );

const bodyOf = async (run: Run, chat: Chat, options: RequestOptions): Promise<unknown> => {
  const { backend } = run.options;
  if ('toRequest' in backend) return backend.toRequest(chat, run.tools, options);
  return {
    chat: await withoutPaths(chat, run),
    parameters: options.parameters,
    format: options.format,
    websearch: options.websearch,
  };
};

/**
 * The key of a request: SHA-256 over backend, model, the request's body for the whole conversation, and the tools' definitions.
 * Credentials, ids, time stamps and the paths of files are not part of it.
 */
export const cacheKey = async (run: Run, prompt: Prompt): Promise<string> => {
  const chat = withoutVolatile(prompt.chat);
  const {
    promptCacheKey: _key,
    previousResponseId: _id,
    position: _position,
    ...options
  } = requestOptions(run, prompt);
  const body = await bodyOf(run, chat, options);
  const { backend, model } = run.options;
  const tools = run.tools.map((tool) => toolDefinition(tool));
  return sha256(stringify({ version: 1, backend: backend.name, model, body, tools }) ?? '');
};
