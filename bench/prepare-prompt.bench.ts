import process from 'node:process';
import type { Chat } from '@colophon/chat-format';
import { preparePrompt } from '@colophon/prompt-strategies';

export const name = 'prepare prompt';

/** A chat of so many tool calls, every tenth repeated, whose outputs have `length` characters. */
const history = (calls: number, length: number): Chat => {
  const content = 'line of output\n'.repeat(Math.ceil(length / 15)).slice(0, length);
  const chat: Chat = [{ role: 'user', content: 'go' }];
  for (let n = 0; n < calls; n++) {
    const argument = { path: `src/file-${n % 10 === 0 ? 0 : n}.ts`, first: n % 10 === 0 ? 0 : n, last: 40 };
    chat.push({
      role: 'function_call',
      content: JSON.stringify({ name: 'read', arguments: argument, id: `call_${n}` }),
    });
    chat.push({ role: 'function_call_output', content: JSON.stringify({ name: 'read', content, id: `call_${n}` }) });
  }
  return chat;
};

/** Milliseconds that this process has worked so far: other processes on the machine do not count. */
const worked = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The least that each action takes in several runs, in milliseconds of work. The actions take turns. */
const leastWork = async (actions: (() => unknown)[], runs = 25): Promise<number[]> => {
  const least = actions.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < runs; run++) {
    for (const [index, action] of actions.entries()) {
      const start = worked();
      await action();
      least[index] = Math.min(least[index] ?? 0, worked() - start);
    }
  }
  return least;
};

const parseAll = (chat: Chat): void => {
  for (const { role, content } of chat) if (role !== 'user') JSON.parse(content);
};

const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

/** Work of `preparePrompt` beside that of parsing the calls and outputs once, and its growth with the number of calls. */
export const run = async (): Promise<{ what: string; ratio: number; limit: number | null; detail: string }[]> => {
  const results: { what: string; ratio: number; limit: number | null; detail: string }[] = [];
  for (const length of [1500, 40]) {
    const chat = history(10_000, length);
    for (const strategy of ['shorten_tools_epoch_increment', 'shorten_tools', 'none']) {
      const [prepared = 0, parsed = 1] = await leastWork([() => preparePrompt(chat, strategy), () => parseAll(chat)]);
      const what = `${strategy}, 10,000 calls with outputs of ${length} characters, beside JSON.parse of all`;
      results.push({
        what,
        ratio: prepared / parsed,
        limit: 5,
        detail: `${milliseconds(prepared)} and ${milliseconds(parsed)}`,
      });
    }
  }
  const counts = [1_000, 10_000, 40_000];
  const chats = counts.map((count) => history(count, 400));
  const totals = await leastWork(
    chats.map((chat) => () => preparePrompt(chat)),
    7,
  );
  const times = totals.map((total, index) => total / (counts[index] ?? 1));
  const [small = 1, middle = 1, large = 1] = times;
  const detail = `${times.map((time) => `${(time * 1000).toFixed(1)} µs`).join(', ')} a call at 1,000, 10,000, 40,000`;
  results.push({ what: 'work a call, 40,000 calls beside 10,000', ratio: large / middle, limit: 2, detail });
  results.push({ what: 'work a call, 10,000 calls beside 1,000', ratio: middle / small, limit: null, detail });
  return results;
};
