import { fixChat } from '@colophon/chat-format';
import { readText, withLock, writeAtomically } from '@colophon/chat-format/node';
import { createColors } from 'picocolors';
import { checkText, type FileProblem, isNote } from '../check-file.js';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { readChatText } from '../read-chat.js';
import { jsonOption } from '../write-result.js';

type Checked = { file: string; problems: FileProblem[]; fixed: number };

/** Mends the file as it stands when the lock is had: another run may append to it. */
const mend = (path: string): Promise<void> =>
  withLock(path, async (target) => {
    const text = await readText(target);
    const mended = fixChat(text);
    if (mended !== text) await writeAtomically(target, mended);
  });

const check = async (name: string, fix: boolean, context: MachineContext): Promise<Checked> => {
  const { text, file, path } = await readChatText(name, context);
  const problems = await checkText(text, file, context);
  if (!fix || path === undefined || fixChat(text) === text) return { file, problems, fixed: 0 };
  await mend(path);
  const left = await checkText(await readText(path), file, context);
  return { file, problems: left, fixed: problems.filter((problem) => problem.fix !== undefined).length };
};

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

export const command = defineCommand({
  name: 'chat check',
  description:
    'Report what is wrong with chat files, as file:line: roles that are none, blocks that are open or hide a role, calls and outputs without each other, imports and files that are not there. Exit code 1 when a problem is left; an escape that reading takes off is only a note. --fix mends what is safe to mend.',
  arguments: [{ name: 'FILE', description: 'chats, or - for standard input', many: true, complete: 'chat' }],
  options: [{ name: 'fix', description: 'mend in place what is safe, and report the rest' }, jsonOption],
  examples: [
    ['colophon chat check hello.chat', 'what is wrong with it'],
    ['colophon chat check --fix chats/*.chat', 'mend what can be mended'],
  ],
  run: async ({ words, options }, context) => {
    const { stdout, stderr } = context;
    const checked: Checked[] = [];
    for (const name of words) checked.push(await check(name, options.fix === true, context));
    const { bold, yellow, dim } = createColors(stdout.color);
    if (options.json) stdout.line(JSON.stringify(checked, null, 2));
    else {
      for (const { file, problems } of checked) {
        for (const problem of problems) {
          const { line, code, message, fix } = problem;
          const paint = isNote(problem) ? dim : yellow;
          stdout.line(
            `${bold(`${file}:${line}`)}: ${paint(code)} ${message}${fix === undefined ? '' : dim(' (--fix)')}`,
          );
        }
      }
    }
    const left = checked.flatMap(({ problems }) => problems).filter((problem) => !isNote(problem)).length;
    const fixed = checked.reduce((sum, file) => sum + file.fixed, 0);
    const problems = left === 0 ? 'no problems' : count(left, 'problem');
    stderr.line(`${problems} in ${count(checked.length, 'file')}${fixed > 0 ? `, ${fixed} mended` : ''}`);
    return left === 0 ? 0 : 1;
  },
});
