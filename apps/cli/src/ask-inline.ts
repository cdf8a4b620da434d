import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AskOptions, ask } from '@colophon/backends';
import { ColophonError, type Message } from '@colophon/chat-format';
import { holdFile, readText, writeAtomically } from '@colophon/chat-format/node';
import { type AskBlock, findAskBlocks, insertAnswer, unfence } from './ask-blocks.js';
import type { MachineContext } from './context.js';
import { noFile } from './errors.js';
import { badEnding } from './show-run.js';

/** A question of a file that was answered now; its line counts from 1. */
export type InlineAnswer = { line: number; question: string; text: string };

const instruction = (leader: string, line: number) =>
  `The file holds questions in comments, as \`${leader} ask: …\`. Answer the one at line ${line}, and no other. Your answer is put into the file as it stands, on the lines below that comment: write what belongs there and nothing else. Prose stands behind \`${leader}\`, code as code, without a fence.`;

const messagesFor = (text: string, file: string, { leader, start, question }: AskBlock): Message[] => [
  { role: 'system', content: instruction(leader, start + 1) },
  { role: 'user', content: `<file name="${file.replace(/["<&]/g, '_')}">\n${text}\n</file>` },
  { role: 'user', content: question },
];

const findAgain = (text: string, file: string, block: AskBlock): AskBlock | undefined =>
  findAskBlocks(text, file).find(
    ({ answered, question, leader }) => !answered && question === block.question && leader === block.leader,
  );

/** Puts an answer into the file as it is now: an editor may have saved it while the model wrote. */
const place = async (path: string, file: string, block: AskBlock, answer: string): Promise<void> => {
  const now = await readText(path);
  const same = findAgain(now, file, block);
  if (same === undefined) {
    throw new ColophonError(
      'question_gone',
      `${file} changed while it was asked, and the question of line ${block.start + 1} is gone; the answer was: ${answer}`,
    );
  }
  await writeAtomically(path, insertAnswer(now, same, answer));
};

/**
 * Answers the questions in the comments of a file, one after the other, each written as soon as it is there. Those that have
 * their answer are left alone, so that a second run does nothing.
 */
export const askInline = async (
  file: string,
  options: AskOptions,
  { workingDirectory, log }: MachineContext,
): Promise<{ answered: InlineAnswer[]; skipped: number; problem?: string }> => {
  const path = await realpath(resolve(workingDirectory, file));
  if (!(await stat(path)).isFile()) throw noFile(file);
  const hold = await holdFile(path, { label: 'ask --inline' });
  try {
    const answered: InlineAnswer[] = [];
    const skipped = findAskBlocks(await readText(path), file).filter((block) => block.answered).length;
    for (;;) {
      const text = await readText(path);
      const block = findAskBlocks(text, file).find((candidate) => !candidate.answered);
      if (block === undefined) return { answered, skipped };
      const line = block.start + 1;
      const { question } = block;
      if (question === '')
        throw new ColophonError('no_question', 'this comment asks nothing; write a question behind `ask:`', {
          at: { file, line },
        });
      log('info', `${file}:${line}: ${question.split('\n')[0]}`);
      const answer = await ask(messagesFor(text, file, block), options);
      const problem = badEnding(answer);
      if (problem !== undefined) return { answered, skipped, problem: `${file}:${line}: ${problem}` };
      const written = /\.(md|markdown)$/i.test(file) ? answer.text : unfence(answer.text);
      await place(path, file, block, written);
      answered.push({ line, question, text: written });
    }
  } finally {
    await hold.release();
  }
};
