import { isAbsolute, resolve } from 'node:path';
import { type Chat, parseChat } from '@colophon/chat-format';
import type { Delta, DirectBackend, Reply } from '../backend.js';
import type { LoaderContext } from '../backends.js';
import { badScript, relativePath, replayEnded } from '../errors.js';
import { positionOf } from '../position.js';
import { readScript, type Script, type ScriptedReply, toReplies } from './read-script.js';

/**
 * What is replayed: a recorded chat (turn by turn); or replies that answer any turn, from the first one on; or a list of replies for
 * each turn. `delay` in milliseconds between the pieces that are streamed, `chunk` their length in characters.
 */
export type ReplayOptions = ({ chat: Chat } | { replies: readonly ScriptedReply[] | readonly ScriptedReply[][] }) & {
  delay?: number;
  chunk?: number;
};

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

const piecesOf = (text: string, length: number): string[] => {
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / length) }, (_, index) =>
    letters.slice(index * length, (index + 1) * length).join(''),
  );
};

const stream = async (
  reply: Reply,
  { delay = 0, chunk = 24 }: { delay?: number; chunk?: number },
  onDelta: (delta: Delta) => void,
  signal?: AbortSignal,
) => {
  const deltas = [
    ...piecesOf(reply.reasoning ?? '', chunk).map((text): Delta => ({ kind: 'reasoning', text })),
    ...reply.messages.flatMap(({ content }) => piecesOf(content, chunk).map((text): Delta => ({ kind: 'text', text }))),
  ];
  for (const delta of deltas) {
    signal?.throwIfAborted();
    if (delay > 0) await pause(delay, signal);
    onDelta(delta);
  }
};

type FindTurn = (turn: number) => { replies: Reply[]; turns: number };

const fromScript =
  (script: Script): FindTurn =>
  (turn) => ({ replies: script[turn] ?? [], turns: script.filter((replies) => replies.length > 0).length });

const fromReplies = (replies: readonly ScriptedReply[] | readonly ScriptedReply[][]): FindTurn => {
  const turns = replies.filter((entry) => Array.isArray(entry));
  if (turns.length > 0) return fromScript(turns.map(toReplies));
  const always = toReplies(replies as readonly ScriptedReply[]);
  return () => ({ replies: always, turns: 1 });
};

const createReplay = (
  findTurn: () => FindTurn | Promise<FindTurn>,
  pace: { delay?: number; chunk?: number },
): DirectBackend => ({
  name: 'replay',
  defaultModel: 'replay',
  capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true },
  async reply(chat, { options, signal, onDelta }) {
    signal?.throwIfAborted();
    const { turn, reply } = options.position ?? positionOf(chat);
    const { replies, turns } = (await findTurn())(turn);
    const next = replies[reply];
    if (!next) throw replayEnded(turn, reply, replies.length, turns);
    if (onDelta) await stream(next, pace, onDelta, signal);
    return structuredClone(next);
  },
});

/**
 * A backend that answers from a recorded conversation or a list of replies, by position: the n-th reply of the k-th turn, however
 * the prompt was shortened. It needs no key and no network, gives the same every time, and says when the script has ended.
 */
export const replay = (options: ReplayOptions): DirectBackend => {
  if (!('chat' in options) && !('replies' in options)) throw badScript('give `chat` or `replies`');
  const find = 'chat' in options ? fromScript(readScript(options.chat)) : fromReplies(options.replies);
  return createReplay(() => find, options);
};

const isReplies = (value: unknown): value is ScriptedReply[] => Array.isArray(value);

/**
 * The backend `replay` of the table: the option `script` names a recorded chat file (relative to the working directory) or holds
 * replies; `delay` and `chunk` are the pace of the stream.
 */
export const replayFromOptions = ({ workingDirectory, files }: LoaderContext): DirectBackend => {
  const read = new Map<string, Promise<FindTurn>>();
  const readFile = async (path: string): Promise<FindTurn> => {
    let bytes: Uint8Array;
    if (!isAbsolute(path) && workingDirectory === undefined) throw relativePath(path);
    const absolute = resolve(workingDirectory ?? '/', path);
    try {
      bytes = await files.readBytes(absolute);
    } catch (error) {
      throw badScript(`${absolute} can't be read`, error);
    }
    return fromScript(readScript(parseChat(new TextDecoder().decode(bytes), { file: absolute })));
  };
  const find = async (script: unknown): Promise<FindTurn> => {
    if (isReplies(script)) return fromReplies(script);
    if (typeof script !== 'string') throw badScript('give `script`, the path of a recorded chat or a list of replies');
    const known = read.get(script) ?? readFile(script);
    read.set(script, known);
    return known;
  };
  const { reply: _, ...backend } = createReplay(() => find(undefined), {});
  return {
    ...backend,
    reply: (chat, request) => {
      const { script, delay, chunk } = request.options.parameters as {
        script?: unknown;
        delay?: number;
        chunk?: number;
      };
      const pace = { ...(delay === undefined ? {} : { delay }), ...(chunk === undefined ? {} : { chunk }) };
      return createReplay(() => find(script), pace).reply(chat, request);
    },
  };
};
