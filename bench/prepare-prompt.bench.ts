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

/** The shortest of several runs, in milliseconds: what else runs on the machine only ever adds. */
const shortest = async (action: () => unknown, runs = 7): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await action();
    best = Math.min(best, performance.now() - start);
  }
  return best;
};

const parseAll = (chat: Chat): void => {
  for (const { role, content } of chat) if (role !== 'user') JSON.parse(content);
};

const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

/** Time of `preparePrompt` beside that of parsing the calls and outputs once, and its growth with the number of calls. */
export const run = async (): Promise<{ what: string; ratio: number; limit: number | null; detail: string }[]> => {
  const results: { what: string; ratio: number; limit: number | null; detail: string }[] = [];
  for (const length of [1500, 40]) {
    const chat = history(10_000, length);
    for (const strategy of ['shorten_tools_epoch_increment', 'shorten_tools', 'none']) {
      const [prepared, parsed] = [
        await shortest(() => preparePrompt(chat, strategy)),
        await shortest(() => parseAll(chat)),
      ];
      const what = `${strategy}, 10,000 calls with outputs of ${length} characters: time beside JSON.parse of all`;
      results.push({
        what,
        ratio: prepared / parsed,
        limit: 5,
        detail: `${milliseconds(prepared)} and ${milliseconds(parsed)}`,
      });
    }
  }
  const times: number[] = [];
  for (const calls of [1_000, 10_000, 40_000]) {
    const chat = history(calls, 400);
    times.push((await shortest(() => preparePrompt(chat), 5)) / calls);
  }
  const [small = 1, middle = 1, large = 1] = times;
  const detail = `${times.map((time) => `${(time * 1000).toFixed(1)} µs`).join(', ')} a call at 1,000, 10,000, 40,000`;
  results.push({ what: 'time a call, 40,000 calls beside 10,000', ratio: large / middle, limit: 2, detail });
  results.push({ what: 'time a call, 10,000 calls beside 1,000', ratio: middle / small, limit: null, detail });
  return results;
};
