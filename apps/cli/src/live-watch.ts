import { emitKeypressEvents } from 'node:readline';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { requestAbort } from '@colophon/prompt-strategies';
import { analystContext } from './analyst-run.js';
import type { MachineContext } from './context.js';
import { createLiveReader } from './live-read.js';
import { type LiveState, renderLiveView } from './live-view.js';

type Key = { name?: string; ctrl?: boolean; meta?: boolean; sequence?: string };

type Entry = { prompt: string; text: string; done: (text: string) => Promise<string> };

/** Milliseconds between two looks at the files. */
const pause = 700;

const enter = '\x1b[?1049h\x1b[?25l';
const leave = '\x1b[?25h\x1b[?1049l';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Watches a session on a terminal until somebody leaves: its chats, the end of the chosen one, tokens, what is waited for. From the
 * keyboard a note is left for the chosen chat, or its run is asked to stop.
 */
export const watchLive = async (file: string, context: MachineContext): Promise<void> => {
  const { stdin, stdout, signal } = context;
  const analyst = analystContext(context);
  const read = createLiveReader(file, analyst, context);
  let state: LiveState = await read(undefined);
  let chosenPath: string | undefined;
  let entry: Entry | undefined;
  let said: string | undefined;
  let over = false;
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = () => {
      over = true;
      resolve();
    };
  });

  const draw = (): void => {
    if (over) return;
    const size = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    const view = {
      ...state,
      ...(entry ? { entry: { prompt: entry.prompt, text: entry.text } } : {}),
      ...(said === undefined ? {} : { said }),
    };
    stdout.write(`\x1b[H${renderLiveView(view, size).join('\x1b[K\r\n')}\x1b[K\x1b[J`);
  };

  const look = async (): Promise<void> => {
    try {
      state = await read(chosenPath);
    } catch (error) {
      said = messageOf(error);
    }
    draw();
  };

  const choose = (step: number): void => {
    const next = Math.min(Math.max(state.chosen + step, 0), state.chats.length - 1);
    chosenPath = state.chats[next]?.path;
    state = { ...state, chosen: Math.max(next, 0) };
    void look();
  };

  const chosen = () => state.chats[state.chosen];

  const advise = async (message: string): Promise<string> => {
    const { posted } = await runTask<{ posted: string }>(
      'post_inbox_advice',
      { file: chosen()!.path, message },
      analyst,
      tasks,
    );
    return `left ${posted}`;
  };

  const stop = async (reason: string): Promise<string> =>
    `asked to stop: ${await requestAbort(chosen()!.path, reason)}`;

  const finish = async ({ text, done }: Entry): Promise<void> => {
    entry = undefined;
    said = text.trim() === '' ? 'nothing was typed' : await done(text).catch(messageOf);
    await look();
  };

  const type = (typed: Entry, letter: string | undefined, { name, ctrl, meta }: Key) => {
    if (name === 'escape') entry = undefined;
    else if (name === 'return' || name === 'enter') return void finish(typed);
    else if (name === 'backspace') typed.text = [...typed.text].slice(0, -1).join('');
    else if (letter && !ctrl && !meta && !/\p{Cc}/u.test(letter)) typed.text += letter;
    draw();
  };

  const commands: Record<string, () => void> = {
    q: end,
    up: () => choose(-1),
    p: () => choose(-1),
    down: () => choose(1),
    n: () => choose(1),
    a: () => {
      entry = { prompt: 'advice', text: '', done: advise };
    },
    x: () => {
      entry = { prompt: 'reason to stop (Enter stops, Esc does not)', text: '', done: stop };
    },
  };

  const onKey = (letter: string | undefined, key: Key) => {
    if (key.ctrl && key.name === 'c') return end();
    if (entry) return type(entry, letter, key);
    said = undefined;
    const command = commands[key.name ?? ''];
    if ((key.name === 'a' || key.name === 'x') && !chosen()) return;
    command?.();
    draw();
  };

  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKey);
  stdin.resume();
  process.stdout.on('resize', draw);
  signal.addEventListener('abort', end);
  stdout.write(enter);
  draw();
  const looking = (async () => {
    while (!over) {
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, pause))]);
      if (!over) await look();
    }
  })();
  try {
    await ended;
  } finally {
    stdin.off('keypress', onKey);
    process.stdout.off('resize', draw);
    signal.removeEventListener('abort', end);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(leave);
    await looking;
  }
};
