import { visibleText } from '@colophon/provenance';
import type { LiveWork } from './live-work.js';

/** What a running session looks like at one moment. */
export type LiveState = {
  /** Chats, the one that was written last first. */
  chats: { path: string; shown: string; age: number }[];
  /** The chosen one. */
  chosen: number;
  /** Its last messages, one line each. */
  tail: string[];
  tokens: { total: number; events: number };
  work: LiveWork[];
  /** What is being typed, and what for. */
  entry?: { prompt: string; text: string };
  /** What came of the last thing that was done. */
  said?: string;
};

const printAge = (seconds: number): string =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;

const cut = (line: string, columns: number): string => {
  const characters = [...visibleText(line)];
  return characters.length <= columns ? characters.join('') : `${characters.slice(0, columns - 1).join('')}…`;
};

const most = 8;

const chatLines = ({ chats, chosen }: LiveState): string[] => {
  const first = Math.max(0, Math.min(chosen - most + 1, chats.length - most));
  const shown = chats.slice(first, first + most);
  const lines = shown.map(
    ({ shown: path, age }, index) => `${first + index === chosen ? '›' : ' '} ${printAge(age).padStart(7)}  ${path}`,
  );
  const more = chats.length - shown.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
};

const keys = 'a advise · x stop · ↑ ↓ choose · q leave';

/** The screen: so many lines of so many columns, no control character in any of them. */
export const renderLiveView = (state: LiveState, { columns, rows }: { columns: number; rows: number }): string[] => {
  const { tokens, work, tail, entry, said = '' } = state;
  const head = [
    `${tokens.total.toLocaleString('en-US')} tokens, ${tokens.events} inferences, ${state.chats.length} chats`,
    '',
    ...chatLines(state),
    '',
    ...(work.length === 0
      ? ['nothing is waited for']
      : work
          .slice(0, most)
          .map(({ kind, reference, state: now }) => `  ${kind.padEnd(12)} ${now.padEnd(16)} ${reference}`)),
    '',
  ];
  const foot = [entry ? `${entry.prompt}: ${entry.text}▏` : said || keys];
  const room = Math.max(0, rows - head.length - foot.length - 1);
  const body = room === 0 ? [] : tail.slice(-room);
  const lines = [...head, ...body];
  const filled = [...lines, ...Array.from({ length: Math.max(0, rows - foot.length - lines.length) }, () => '')];
  return [...filled.slice(0, Math.max(0, rows - foot.length)), ...foot]
    .slice(0, rows)
    .map((line) => cut(line, columns));
};
