import type { ProgressEvent } from '@colophon/workflow';
import { createColors } from 'picocolors';
import type { MachineContext } from './context.js';
import { printSpan } from './show-job.js';

/** Milliseconds between what is shown of a job that tells often: on a terminal, and in lines. */
const pace = { terminal: 100, lines: 5000 };

const barWidth = 20;

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** What made a job fail, in a line: the end of the run tells all of it. */
const shortly = (text: string): string => {
  const line = oneLine(text);
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
};

/** A bar of blocks; what is done of a total that is not known is a count. */
const printBar = (done: number, total: number | undefined): string => {
  if (total === undefined || !(total > 0)) return String(done);
  const filled = Math.round(Math.min(1, Math.max(0, done / total)) * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done}/${total}`;
};

const progressText = ({ message, done, total }: { message?: string; done?: number; total?: number }): string =>
  [done === undefined ? '' : printBar(done, total), oneLine(message ?? '')].filter((part) => part !== '').join(' ');

/**
 * Shows on standard error how jobs go: on a terminal one line that changes, with a bar for what a job tells of itself; elsewhere a line
 * for each end, and now and then one for a job that takes long.
 */
export const showJobs = ({ stderr, now, log }: Pick<MachineContext, 'stderr' | 'now' | 'log'>) => {
  const { dim, green, red, cyan } = createColors(stderr.color);
  const started = new Map<string, number>();
  const told = new Map<string, string>();
  let ended = 0;
  let drawn = 0;

  const wipe = () => {
    if (stderr.isTerminal) stderr.write('\r\u001b[K');
  };
  const draw = (force: boolean) => {
    if (!stderr.isTerminal || started.size === 0) return;
    const time = now().getTime();
    if (!force && time - drawn < pace.terminal) return;
    drawn = time;
    const [path] = [...started.keys()].slice(-1);
    const more = started.size > 1 ? ` +${started.size - 1}` : '';
    const text = `${path}${more}  ${told.get(path!) ?? ''}`;
    const room = Math.max(20, stderr.columns - 8);
    wipe();
    stderr.write(
      `${dim(String(ended).padStart(4))} ${cyan('●')} ${text.length > room ? `${text.slice(0, room - 1)}…` : text}`,
    );
  };
  const line = (text: string) => {
    wipe();
    log('info', text);
  };
  const lastLine = new Map<string, number>();
  const timers = new Map<string, NodeJS.Timeout>();

  const onProgress = (event: ProgressEvent) => {
    const { shortPath } = event.job;
    const time = now().getTime();
    const begun = started.get(shortPath);
    const took = begun === undefined ? '' : ` in ${printSpan(time - begun)}`;
    switch (event.kind) {
      case 'start':
        started.set(shortPath, time);
        lastLine.set(shortPath, time);
        if (!stderr.isTerminal) timers.set(shortPath, setTimeout(line, pace.lines, `${shortPath}: runs`).unref());
        return draw(true);
      case 'progress': {
        told.set(shortPath, progressText(event.progress));
        if (stderr.isTerminal) return draw(false);
        if (time - (lastLine.get(shortPath) ?? 0) < pace.lines) return;
        lastLine.set(shortPath, time);
        return line(`${shortPath}: ${told.get(shortPath)}`);
      }
      case 'retry':
        return line(`${shortPath}: failed and is tried again: ${shortly(event.exception.message)}`);
      case 'reused':
        return;
    }
    clearTimeout(timers.get(shortPath));
    started.delete(shortPath);
    told.delete(shortPath);
    if (event.kind === 'done') {
      ended++;
      line(`${green('✓')} ${shortPath}${dim(took)}`);
    } else {
      const why = event.kind === 'error' ? `: ${shortly(event.exception.message)}` : ' was stopped';
      line(`${red('✗')} ${shortPath}${why}`);
    }
    draw(true);
  };
  const end = () => {
    for (const timer of timers.values()) clearTimeout(timer);
    wipe();
  };
  return { onProgress, end };
};
