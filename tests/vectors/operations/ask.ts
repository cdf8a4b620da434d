import { join } from 'node:path';
import { type Answer, type AskOptions, ask as askBackend } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import { type ScriptedReply, type ScriptedServer, scriptedServer } from '@colophon/backends/testing';
import { type Chat, parseMeta } from '@colophon/chat-format';
import { strategies } from '@colophon/prompt-strategies';
import type { Json, Operation } from '../vector.js';
import { chatOf, plainMessages } from './chat-of.js';
import { toolOf, wireNameOf } from './providers.js';

/** A scripted reply as the server sends it; Ollama's are lists of chunks. */
const scripted = (response: Json): ScriptedReply => {
  if (response?.$raise !== undefined) return { status: 400, message: response.$raise };
  return Array.isArray(response) ? { body: response.at(-1), events: response } : { body: response };
};

const answerTool = (handler: Json, values: Record<string, unknown>): unknown => {
  if (handler?.raise !== undefined) throw new Error(handler.raise);
  if (handler?.return_error !== undefined) return new Error(handler.return_error);
  return handler?.echo_arguments ? values : handler?.return;
};

/** Options of the loop have names with capitals, parameters of a provider keep theirs. */
const loopOptions: Record<string, string> = {
  prompt_strategies: 'promptStrategies',
  previous_response: 'previousResponse',
  previous_response_id: 'previousResponseId',
  max_rounds: 'maxRounds',
  max_content_length: 'maxContentLength',
  save_file: 'saveFile',
};

/** Options of older versions that say nothing here: messages are always returned, clients are made by the backend. */
const withoutMeaning = ['return_messages', 'log_response', 'log_errors', 'client'];

const optionsOf = (options: Json = {}): AskOptions =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !withoutMeaning.includes(name))
      .map(([name, value]) => [loopOptions[name] ?? name, value]),
  );

/** Leads every provider's client to the scripted server, whichever the chat or an endpoint picks. */
const environmentOf = (urls: ScriptedServer['urls']) => ({
  OPENAI_API_KEY: 'k-1',
  OPENAI_BASE_URL: urls.openai,
  ANTHROPIC_API_KEY: 'k-1',
  ANTHROPIC_BASE_URL: urls.anthropic,
  OLLAMA_HOST: urls.ollama,
});

/** How to reach the scripted server in the provider's format; Ollama's replies are streams. */
const serverOptions = (provider: string | undefined, urls: ScriptedServer['urls']): AskOptions => {
  const wire = provider === undefined ? undefined : wireNameOf(provider);
  return {
    ...(provider === undefined ? {} : { backend: provider }),
    ...(wire === undefined ? {} : { key: 'k-1', url: urls[wire] }),
    ...(wire === 'ollama' ? { onDelta: () => {} } : {}),
  };
};

const answerResult = ({ text, messages, stopReason }: Answer) => ({
  answer: text,
  roles: messages.map(({ role }) => role),
  metas: messages.filter(({ role }) => role === 'meta').map(({ content }) => parseMeta(content)),
  messages: plainMessages(messages),
  last_message: plainMessages(messages).at(-1),
  stop_reason: stopReason,
});

/** Asks through the real client of a provider, which talks to a local server that answers by the script. */
export const ask: Operation = async (input, { root }) => {
  const server = await scriptedServer((input.responses ?? []).map(scripted), { repeat: true, lenient: true });
  const handled: { name: string; arguments: unknown }[] = [];
  let probes = 0;
  const probe = (chat: Chat): Chat => {
    probes++;
    return chat;
  };
  const tools = (input.tools ?? []).map((definition: Json) => {
    const { name } = toolOf(definition);
    return toolOf(definition, (values) => {
      handled.push({ name, arguments: values });
      return answerTool(input.handler, values);
    });
  });
  const askOnce = () =>
    askBackend(chatOf(input), {
      ...(input.prompt_strategies === undefined ? {} : { promptStrategies: input.prompt_strategies }),
      ...(input.save_file ? { saveFile: input.save_file } : {}),
      ...optionsOf(input.options),
      ...serverOptions(input.provider, server.urls),
      tools,
      context: nodeContext({
        environment: environmentOf(server.urls),
        workingDirectory: root,
        roots: [{ path: root, trusted: true }],
        strategies: { ...strategies, ...(input.register_probe ? { probe } : {}) },
        cache: { folder: join(root, 'var', 'cache', 'ask') },
      }),
    });
  const bodies = () => server.requests.map(({ body }) => body);
  try {
    if (input.twice) await askOnce();
    const answer = await askOnce();
    const [first, second] = bodies().map((body) => JSON.stringify(body));
    return {
      ...answerResult(answer),
      requests: bodies(),
      request_text: JSON.stringify(bodies()),
      first_request_text: first,
      second_request_text: second,
      handler_calls: handled,
      probe_calls: probes,
    };
  } catch (error) {
    throw Object.assign(error as Error, { requests: bodies() });
  } finally {
    await server.close();
  }
};
