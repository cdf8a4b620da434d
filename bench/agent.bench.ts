import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createAgent } from '@colophon/agent';
import { ask, type DirectBackend } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import type { Chat } from '@colophon/chat-format';
import { printChat } from '@colophon/chat-format';
import { writeAtomically } from '@colophon/chat-format/node';
import { runCalls, type Tool } from '@colophon/tools';

export const name = 'agent';

type Measure = { what: string; ratio: number; limit: number | null; detail: string };

const rounds = 40;

const look: Tool = { name: 'look', description: '', parameters: { type: 'object', properties: {} }, run: () => 'seen' };

/** Asks for a tool so many times, then answers. Takes no time of its own. */
const working = (times: number): DirectBackend => {
  let left = times;
  return {
    name: 'working',
    reply: () =>
      left-- > 0
        ? { messages: [], calls: [{ id: `c${left}`, name: 'look', arguments: {} }], usage: { pt: 1, ct: 1, tt: 2 } }
        : { messages: [{ role: 'assistant', content: 'done' }], calls: [], usage: { pt: 1, ct: 1, tt: 2 } },
  };
};

const history = (messages: number): Chat =>
  Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `message ${index} ${'word '.repeat(20)}`,
  }));

/** Milliseconds of a round beyond the first request of a run: recording, preparing, calling a tool. */
const perRound = async (folder: string, stored: number): Promise<number> => {
  const file = join(folder, `${stored}.chat`);
  await writeAtomically(file, `${printChat([...history(stored - (stored % 2))])}\n`);
  const context = nodeContext({ workingDirectory: folder });
  const times: number[] = [];
  const onEvent = ({ kind }: { kind: string }) => {
    if (kind === 'round-start') times.push(performance.now());
  };
  const options = { backend: working(rounds), tools: [look], context, promptStrategies: 'none', stream: false };
  await ask({ file, question: 'go' }, { ...options, onEvent });
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)]!;
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of heap in use. */
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Bytes of heap that a run of so many rounds leaves, and those of its chat alone: a copy of the messages. */
const heapOfRun = async (folder: string, count: number): Promise<{ all: number; chat: number }> => {
  const before = heap();
  const context = nodeContext({ workingDirectory: folder });
  const saveFile = join(folder, `memory-${count}.chat`);
  const options = { backend: working(count), tools: [look], maxRounds: count + 1, promptStrategies: 'none' };
  const agent = createAgent({ name: 'Worker', start: [] }, { context, options, saveFile });
  agent.user('go');
  await agent.chat();
  const after = heap();
  const copy = agent.messages.map(({ role, content }) => ({ role, content: Buffer.from(content).toString() }));
  const chat = heap() - after;
  return { all: after - before, chat: copy.length > 0 ? chat : 0 };
};

/** Milliseconds until so many specialists have answered, one of which takes long, and the median of the others. */
const withSlowOne = async (): Promise<{ slow: number; others: number }> => {
  const ended: number[] = [];
  const began = performance.now();
  const pause = 400;
  const specialist = (index: number): Tool => ({
    ...look,
    name: `ask_${index}`,
    run: async (_, { signal }) => {
      const backend: DirectBackend = {
        name: 'one',
        reply: async () => {
          await new Promise((resolve) => setTimeout(resolve, index === 0 ? pause : 5));
          return { messages: [{ role: 'assistant', content: 'yes' }], calls: [] };
        },
      };
      await ask('go', { backend, signal });
      ended[index] = performance.now() - began;
      return 'yes';
    },
  });
  const tools = Array.from({ length: 50 }, (_, index) => specialist(index));
  await runCalls(
    tools.map((tool, index) => ({ id: `c${index}`, name: tool.name, arguments: {} })),
    tools,
    { now: () => new Date(), concurrency: 50 },
  );
  const others = ended.slice(1).sort((a, b) => a - b);
  return { slow: ended[0]!, others: others.at(-1)! };
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const milliseconds = (time: number): string => `${time.toFixed(2)} ms`;

export const run = async (): Promise<Measure[]> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agent-')));
  try {
    const sizes = [10, 1000, 10_000];
    await perRound(folder, 10);
    const times: number[] = [];
    for (const size of sizes) times.push(await perRound(folder, size));
    const [small = 0, middle = 0, large = 0] = times;
    const [few, many] = [await heapOfRun(folder, 1000), await heapOfRun(folder, 10_000)];
    const { slow, others } = await withSlowOne();
    return [
      {
        what: 'a round of a chat of 1,000 messages, beside one of 10',
        ratio: middle / small,
        limit: 3,
        detail: `${milliseconds(middle)} and ${milliseconds(small)}, model and tool taking no time`,
      },
      {
        what: 'a round of a chat of 10,000 messages, beside one of 1,000',
        ratio: large / middle,
        limit: 10,
        detail: `${milliseconds(large)} and ${milliseconds(middle)}; the prompt itself is ten times as long`,
      },
      {
        what: 'heap after 10,000 rounds, beside the messages of the chat',
        ratio: many.all / many.chat,
        limit: 2,
        detail: `${megabytes(many.all)} and ${megabytes(many.chat)}; after 1,000 rounds ${megabytes(few.all)} and ${megabytes(few.chat)}`,
      },
      {
        what: '49 specialists beside a slow one, until the last of them ended',
        ratio: others / slow,
        limit: 0.9,
        detail: `${milliseconds(others)} and ${milliseconds(slow)}`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
