import type { RequestOptions, WireBackend } from '@colophon/backends';
import type { Chat, Message } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';

export const user = (content: string): Message => ({ role: 'user', content });
export const system = (content: string): Message => ({ role: 'system', content });
export const assistant = (content: string, more: object = {}): Message => ({ role: 'assistant', content, ...more });

export const call = (id: string, args: unknown = { port: 'Rye' }, more: object = {}): Message => ({
  role: 'function_call',
  content: JSON.stringify({ name: 'tide', arguments: args, id }),
  ...more,
});

export const output = (id: string, content: unknown = 'at six', more: object = {}): Message => ({
  role: 'function_call_output',
  content: JSON.stringify({ name: 'tide', content, id, step: 'Sea/tide/Default', timestamp: '2031-04-02', ...more }),
});

export const tide: Tool = {
  name: 'tide',
  description: 'Times of high water.',
  parameters: {
    type: 'object',
    properties: { port: { type: 'string' }, unit: { type: 'string' } },
    required: ['port'],
    defaults: { unit: 'metre' },
  },
  run: () => 'at six',
};

export const options = (more: Partial<RequestOptions> = {}): RequestOptions => ({
  model: 'm-1',
  parameters: {},
  boundaries: [],
  ...more,
});

/** Makes requests of one backend, with nothing set but what is given. */
export const asking =
  (backend: WireBackend) =>
  (chat: Chat, more: Partial<RequestOptions> = {}, tools: readonly Tool[] = []) =>
    backend.toRequest(chat, tools, options(more));

/** A chat with a whole tool round in it. */
export const round: Chat = [
  user('go'),
  assistant('I look.'),
  call('call_1'),
  call('call_2', { port: 'Hull' }),
  output('call_2', { high: 9 }),
  output('call_1'),
];
