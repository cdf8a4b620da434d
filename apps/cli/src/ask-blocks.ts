import { ColophonError } from '@colophon/chat-format';

/** A question in a comment of a file: `# ask: …` and the comment lines that follow it. Lines count from 0; `end` is exclusive. */
export type AskBlock = {
  start: number;
  end: number;
  indent: string;
  leader: string;
  question: string;
  answered: boolean;
};

const opening = /^([ \t]*)(#+|\/{2,}|-{2,}|;+|%+)[ \t]*ask:(.*)$/;
const answerStart = /^(#+|\/{2,}|-{2,}|;+|%+)[ \t]*Response start$/;

const isEnd = (line: string, leader: string) => line.trim() === `${leader} Response end`;

/** Splits text at line ends and says which line end it uses. */
const toLines = (text: string): { lines: string[]; lineEnd: string } => {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return { lines: text.split(lineEnd), lineEnd };
};

/** Text of a comment line behind its leader, or nothing where the line doesn't go on with that comment. */
const commentText = (line: string, leader: string): string | undefined => {
  const trimmed = line.trimStart();
  if (!trimmed.startsWith(leader) || /^Response (start|end)$/.test(trimmed.slice(leader.length).trim()))
    return undefined;
  const behind = trimmed.slice(leader.length);
  return opening.test(line) || behind[0] === leader[0] ? undefined : behind.trim();
};

/**
 * Finds the questions in the comments of a file, and which of them have their answer (`# Response start` … `# Response end`)
 * below. Answers are skipped whole, whatever they hold. Linear in the text. `file` is named when an answer has no end.
 */
export const findAskBlocks = (text: string, file: string): AskBlock[] => {
  const { lines } = toLines(text);
  const blocks: AskBlock[] = [];
  let index = 0;
  const skipAnswer = (): boolean => {
    const leader = answerStart.exec(lines[index]?.trim() ?? '')?.[1];
    if (leader === undefined) return false;
    const start = index;
    while (index < lines.length && !isEnd(lines[index]!, leader)) index++;
    if (index === lines.length) {
      throw new ColophonError('open_answer', `this answer has no end; put \`${leader} Response end\` behind it`, {
        at: { file, line: start + 1 },
      });
    }
    index++;
    return true;
  };
  while (index < lines.length) {
    if (skipAnswer()) continue;
    const [, indent = '', leader = '', first = ''] = opening.exec(lines[index]!) ?? [];
    const start = index++;
    if (leader === '') continue;
    const question = [first.trim()];
    for (
      let more = commentText(lines[index] ?? '', leader);
      more !== undefined;
      more = commentText(lines[++index] ?? '', leader)
    ) {
      question.push(more);
    }
    const end = index;
    blocks.push({ start, end, indent, leader, question: question.join('\n').trim(), answered: skipAnswer() });
  }
  return blocks;
};

/** Takes a fence off that encloses the whole of an answer: in a program it would be no part of the program. */
export const unfence = (answer: string): string => {
  const lines = answer.trim().split('\n');
  const fence = /^(`{3,})[^`]*$/.exec(lines[0]!)?.[1];
  const inside = lines.slice(1, -1);
  return fence && lines.length > 1 && lines.at(-1) === fence && !inside.some((line) => line.trim() === fence)
    ? inside.join('\n')
    : answer;
};

/** Puts an answer below its question, between the two marks. A line of the answer that reads as the closing mark is broken up. */
export const insertAnswer = (text: string, block: AskBlock, answer: string): string => {
  const { lines, lineEnd } = toLines(text);
  const { indent, leader, end } = block;
  const guarded = answer
    .split(/\r?\n/)
    .map((line) => (isEnd(line, leader) ? line.replace('Response end', '(Response end)') : line));
  const marked = [`${indent}${leader} Response start`, ...guarded, `${indent}${leader} Response end`];
  return [...lines.slice(0, end), ...marked, ...lines.slice(end)].join(lineEnd);
};
