import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { expect, onTestFinished, test } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: reports are checked by the schemas of their tasks
type Report = any;

const jobsOfAChat = 5;

/** A chain of chats, each importing the one before it and delegating to jobs: its own, or the same ones. */
const makeChain = (chats: number, shared: boolean): { folder: string; root: string } => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'accounting-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (let chat = 0; chat < chats; chat++) {
    const jobs = Array.from({ length: jobsOfAChat }, (_, job) => (shared ? `of-all-${job}` : `of-${chat}-${job}`));
    const calls = jobs.flatMap((job) => [
      `function_call: ${JSON.stringify({ name: 'ask', arguments: {}, id: job })}`,
      `function_call_output: ${JSON.stringify({ name: 'ask', id: job, content: 'x', meta: [{ job: `Tide/ask/${job}` }] })}`,
    ]);
    const imports = chat > 0 ? [`import: ${chat - 1}.chat`] : [];
    write(`${chat}.chat`, [...imports, 'user: go', ...calls, `meta: pt=1 tt=1 inference_id=chat-${chat}`].join('\n\n'));
    for (const job of jobs) {
      write(`var/jobs/Tide/ask/${job}.info`, '{"status":"done","workflow":"Tide","task_name":"ask","type":"string"}');
      write(`var/jobs/Tide/ask/${job}.files/agent.chat`, `user: go\n\nmeta: pt=10 tt=10 inference_id=${job}\n`);
    }
  }
  return { folder, root: join(folder, `${chats - 1}.chat`) };
};

/** Runs the task, and counts what it asks its reader. */
const account = async (chats: number, shared: boolean, scope: string): Promise<{ report: Report; asked: number }> => {
  const { folder, root } = makeChain(chats, shared);
  const context = nodeAnalystContext({ workingDirectory: folder });
  let asked = 0;
  const reader = new Proxy(context.reader, {
    get: (target, name, receiver) => {
      const value = Reflect.get(target, name, receiver);
      return typeof value === 'function'
        ? (...given: unknown[]) => {
            asked += 1;
            return value.apply(target, given);
          }
        : value;
    },
  });
  const report = await runTask('chat_accounting', { file: root, scope }, { ...context, reader }, tasks);
  return { report, asked };
};

const added = (entries: Report[]): number => entries.reduce((sum, { tokens }) => sum + tokens.tt, 0);

test.each([false, true])(
  'a chain of chats is accounted chat by chat; what jobs they share (%s) is in each',
  async (shared) => {
    const [own, closure] = [await account(6, shared, 'own'), await account(6, shared, 'closure')];
    const { entries } = own.report;
    expect(entries.map(({ tokens }: Report) => tokens.tt)).toEqual(Array(6).fill(1 + 10 * jobsOfAChat));
    for (const { direct_tokens, delegated_tokens, tokens } of entries)
      expect(direct_tokens.tt + delegated_tokens.tt).toBe(tokens.tt);
    const once = 6 + 10 * jobsOfAChat * (shared ? 1 : 6);
    expect(closure.report.entries[0].tokens.tt).toBe(once);
    if (!shared) expect(added(entries)).toBe(once);
  },
);

test.each([
  ['own', false],
  ['own', true],
  ['closure', false],
  ['closure', true],
] as const)('twice the chain is twice the work: %s, jobs shared %s', async (scope, shared) => {
  const [short, long] = [await account(10, shared, scope), await account(20, shared, scope)];
  expect(long.asked / short.asked).toBeLessThan(2.05);
});
