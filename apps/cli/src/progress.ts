import type { MachineContext } from './context.js';

/** Milliseconds after which a run counts as long, and between what is told of it. */
const pace = { terminal: 200, lines: 5000 };

/**
 * Tells on standard error how far long work has come: one line that changes on a terminal, now and then a line elsewhere. What is
 * over soon is not told of.
 */
export const createProgress = (what: string, { stderr, now }: Pick<MachineContext, 'stderr' | 'now'>) => {
  const every = stderr.isTerminal ? pace.terminal : pace.lines;
  let next = now().getTime() + every;
  let done = 0;
  let shown = false;
  return {
    tick: (): void => {
      done++;
      const time = now().getTime();
      if (time < next) return;
      next = time + every;
      shown = true;
      const text = `${what}: ${done}`;
      if (stderr.isTerminal) stderr.write(`\r\u001b[K${text}`);
      else stderr.line(text);
    },
    end: (): void => {
      if (shown && stderr.isTerminal) stderr.write('\r\u001b[K');
    },
  };
};
