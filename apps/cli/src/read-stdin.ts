import { fstatSync } from 'node:fs';
import type { MachineContext } from './context.js';
import { stdinNotText } from './errors.js';

/** What standard input is. A `socket` is what a program that starts this one often leaves open without ever writing. */
export type StdinKind = 'terminal' | 'nothing' | 'file' | 'pipe' | 'socket';

/** Milliseconds until a first byte must come when nobody said that standard input is meant. A slow program may feed a pipe. */
const patience: Readonly<Record<StdinKind, number>> = {
  terminal: 0,
  nothing: 0,
  file: 60_000,
  pipe: 20_000,
  socket: 1_000,
};

/** Says what standard input is, without touching it. */
export const stdinKind = (context: MachineContext): StdinKind => {
  if (context.stdin.isTTY) return 'terminal';
  try {
    const facts = fstatSync(0);
    if (facts.isFIFO()) return 'pipe';
    if (facts.isSocket()) return 'socket';
    return facts.isFile() ? 'file' : 'nothing';
  } catch {
    return 'nothing';
  }
};

const toText = (chunks: readonly Uint8Array[]): string => {
  const bytes = Buffer.concat(chunks);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw stdinNotText();
  }
};

/**
 * Reads standard input to its end. With `expected` it is waited for; without, an input that stays silent is left alone after a
 * while (told on standard error) and the result is absent, so that an idle pipe never hangs a run.
 */
export const readStdin = (
  context: MachineContext,
  { expected }: { expected: boolean },
): Promise<string | undefined> => {
  const kind = stdinKind(context);
  return new Promise((resolve, reject) => {
    const { stdin } = context;
    const chunks: Uint8Array[] = [];
    const end = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(notice);
      context.signal.removeEventListener('abort', interrupt);
      stdin.removeAllListeners();
      stdin.pause();
      settle();
    };
    const interrupt = () => end(() => reject(context.signal.reason));
    const giveUp = () =>
      end(() => {
        context.log(
          'warn',
          'colophon: nothing came on standard input; going on without it (put ... in the question to wait for it)',
        );
        resolve(undefined);
      });
    const notice = setTimeout(() => context.log('info', 'colophon: waiting for standard input'), 1_000);
    const timer = expected ? undefined : setTimeout(giveUp, patience[kind]);
    context.signal.addEventListener('abort', interrupt);
    stdin.on('data', (chunk: Uint8Array) => {
      clearTimeout(timer);
      clearTimeout(notice);
      chunks.push(chunk);
    });
    stdin.on('error', (error) => end(() => reject(error)));
    stdin.on('end', () =>
      end(() => {
        try {
          resolve(toText(chunks));
        } catch (error) {
          reject(error);
        }
      }),
    );
  });
};
