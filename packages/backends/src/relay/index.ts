import { defineBackend, type WireBackend } from '../backend.js';
import { type BackendTable, backends, type LoaderContext } from '../backends.js';
import { checkParameters } from '../check-parameters.js';
import { badOption, noModel, unsupported } from '../errors.js';
import { type RelayClient, type RelayReply, type RelayRequest, relayClient, send } from './send.js';

const environment = { key: ['COLOPHON_RELAY_TOKEN', 'RELAY_TOKEN'], url: ['COLOPHON_RELAY_URL', 'RELAY_URL'] };

/** Stands for the model that the provider has by default. */
const anyModel = 'default';

const loadProvider = async (name: unknown, table: BackendTable, machine: LoaderContext): Promise<WireBackend> => {
  const known = Object.keys(table).filter((other) => !['relay', 'replay', 'ai-sdk'].includes(other));
  if (typeof name !== 'string' || !known.includes(name))
    throw badOption('provider', name, `one of ${known.join(', ')}`, 'the options of relay');
  const entry = table[name]!;
  const backend = typeof entry === 'function' ? await entry(machine) : entry;
  if (!('toRequest' in backend))
    throw badOption('provider', name, 'a backend with a wire format', 'the options of relay');
  return backend;
};

/**
 * Asks through another machine, which has the keys: the provider's request is made here and its reply read here, so that tools run here;
 * only the call between them is the relay's. The option `provider` names whose request it is (default `responses`).
 */
export const relayFromOptions = (
  machine: LoaderContext,
  table: BackendTable = backends,
): WireBackend<RelayRequest, RelayClient, RelayReply> =>
  defineBackend({
    name: 'relay',
    defaultModel: anyModel,
    environment,
    capabilities: {
      tools: true,
      images: true,
      pdf: true,
      jsonSchema: true,
      streaming: true,
      cacheBreakpoints: true,
      websearch: true,
    },
    toRequest: async (chat, tools, options) => {
      const { provider = 'responses', ...parameters } = options.parameters;
      const inner = await loadProvider(provider, table, machine);
      checkParameters(parameters, inner);
      const model = options.model === anyModel ? inner.defaultModel : options.model;
      if (model === undefined) throw noModel(`relay to ${inner.name}`, []);
      for (const message of chat)
        if (
          (message.role === 'pdf' && !inner.capabilities.pdf) ||
          (message.role === 'image' && !inner.capabilities.images)
        )
          throw unsupported(`\`${message.role}\``, inner.name, message);
      if (options.websearch && !inner.capabilities.websearch) throw unsupported('web search', inner.name);
      const request = await inner.toRequest(chat, tools, { ...options, model, parameters });
      return { backend: inner.name, request, inner };
    },
    client: (credentials) => relayClient(credentials, environment.key),
    send,
    fromReply: ({ inner, raw }, context) => inner.fromReply(raw, context),
  });
