import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Chat, parseChat, printChat } from '@colophon/chat-format';
import { openAppender, save } from '@colophon/chat-format/node';

export const name = 'parse and print';

type Result = { what: string; ratio: number; limit: number | null; detail: string };

const megabyte = 1_000_000;

/** Milliseconds that this thread has worked, so that other programs of the machine don't count; else those of the clock. */
const clock = existsSync('/proc/thread-self/schedstat')
  ? () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  : () => performance.now();

/** The thread's time is told in steps of some milliseconds: what is shorter is done several times. */
const shortest = 50;

/** Medians of the milliseconds that actions take, after a warm-up. They take turns: what disturbs one disturbs all. */
const medians = (actions: (() => unknown)[], rounds: number): number[] => {
  const repeats = actions.map((action) => {
    for (let round = 0; round < 3; round += 1) action();
    const start = performance.now();
    action();
    return Math.ceil(shortest / (performance.now() - start));
  });
  const times: number[][] = actions.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, action] of actions.entries()) {
      const start = clock();
      for (let repeat = 0; repeat < repeats[index]!; repeat += 1) action();
      times[index]!.push((clock() - start) / repeats[index]!);
    }
  }
  return times.map(median);
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const ms = (time: number) => `${time.toPrecision(3)} ms`;

/** A session as an agent leaves it: questions, prose with code, calls, and outputs that hold files and tables as JSON. */
export const session = (size: number): Chat => {
  const words =
    'the harbour keeps a ledger of tides and every anchor that was drawn from the silent meadow below it'.split(' ');
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const sentence = () => `${Array.from({ length: 8 + next(14) }, () => words[next(words.length)]).join(' ')}.`;
  const prose = (lines: number) =>
    Array.from({ length: lines }, () => (next(6) === 0 ? '' : sentence()))
      .join('\n')
      .trim();
  const code = (lines: number) =>
    Array.from(
      { length: lines },
      () =>
        `${'  '.repeat(next(4))}const ${words[next(words.length)]} = read("${words[next(words.length)]}", ${next(99)});`,
    ).join('\n');
  const chat: Chat = [{ role: 'system', content: 'You keep the tide tables.' }];
  let length = 0;
  for (let turn = 0; length < size; turn += 1) {
    const id = `call_${turn}`;
    const messages = [
      { role: 'user', content: `${sentence()}\n\n- ${sentence()}\n- ${sentence()}` },
      { role: 'meta', content: `pt=${next(9999)} ct=${next(999)} tt=${next(9999)} inference_id=${turn}` },
      { role: 'function_call', content: JSON.stringify({ name: 'read', arguments: { path: `src/${turn}.ts` }, id }) },
      { role: 'function_call_output', content: JSON.stringify({ id, content: code(20 + next(60)) }) },
      {
        role: 'assistant',
        content: `${prose(10 + next(20))}\n\n\`\`\`ts\n${code(10 + next(20))}\n\`\`\`\n\n# ${sentence()}\n\n${prose(10)}`,
      },
    ];
    for (const message of messages) {
      chat.push(message);
      length += message.content.length;
    }
  }
  return chat;
};

const againstJson = (): Result[] => {
  const chat = session(10 * megabyte);
  const text = printChat(chat);
  const json = JSON.stringify(chat);
  const [parse, parseJson, print, printJson] = medians(
    [() => parseChat(text), () => JSON.parse(json), () => printChat(chat), () => JSON.stringify(chat)],
    9,
  ) as [number, number, number, number];
  return [
    {
      what: 'parse 10 MB, against JSON.parse',
      ratio: parse / parseJson,
      limit: 2,
      detail: `${ms(parse)} to ${ms(parseJson)}`,
    },
    {
      what: 'print 10 MB, against JSON.stringify',
      ratio: print / printJson,
      limit: 2,
      detail: `${ms(print)} to ${ms(printJson)}`,
    },
  ];
};

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const fill = (size: number, line: (index: number) => string) => {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size; index += 1) {
    const part = line(index);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join('\n');
};

/** Contents that a careless reader takes far too long for. */
const hostile: Record<string, string> = {
  'one message of 4 MB': fill(
    4 * megabyte,
    (index) => `- item ${index}: a line as they come, with \`code\` and <b>tags</b>`,
  ),
  '1 MB of <foo> lines': fill(megabyte, () => '<foo>'),
  '1 MB of <foo…> lines, each name another': fill(megabyte, (index) => `<foo${index}>`),
  '100,000 stray fences': lines(100_000, (index) => `\`\`\`js ${index}`),
  '100,000 lines of a backslash': lines(100_000, () => '\\'),
  'a line of 1 MB of :--': ':-- '.repeat(megabyte / 4),
  '1 MB of [[ lines': fill(megabyte, () => '[['),
};

/** Contents of which more is made than of plain text (messages, blocks, an index of names): told, without a limit. */
const busy: Record<string, string> = {
  '1 MB of <foo> lines, half of them closed':
    `${fill(megabyte / 2, () => '<foo>')}\n<foo>\n${fill(megabyte / 2, () => '</foo>')}`.slice(0, -12),
  '1 MB of <foo…> lines, all closed at the end': `${lines(40_000, (index) => `<f${index}>`)}\n${lines(40_000, (index) => `</f${40_000 - index}>`)}`,
  '100,000 fences, each longer than what closes it': lines(100_000, (index) => (index % 2 ? '````js' : '```')),
  '100,000 escaped headers': lines(100_000, () => '\\user: hi'),
  '1 MB of command openers': fill(megabyte, () => 'sh:-- ls {{{'),
  '1 MB of [[ lines and one ]]': `${fill(megabyte, () => '[[')}\nuser: x\n]]`,
  '1 MB of headers': fill(megabyte, () => 'note: hi'),
  '1 MB of backticks on one line': '`'.repeat(megabyte),
  '1 MB of < on one line': '<a '.repeat(megabyte / 3),
  '1 MB of white space': `${' '.repeat(megabyte - 1)}x`,
};

/** Plain text of the same size and number of lines. */
const plainLike = (text: string) => text.replace(/[^\n]/g, (_, at: number) => english[at % english.length]!);

const english =
  'The harbour master keeps two books: one for the tides, which come when they come, and one for the ships. "A ship," he says, "is a letter; the tide is the post." ' +
  'In spring he counts them at noon (and again at night), writes the sum at the foot of the page - 14, 22, 9 - and closes the book. Nobody has asked him why since 1987. ';

const worstCases = (contents: Record<string, string>, limit: number | null, rounds: number): Result[] =>
  Object.entries(contents).flatMap(([what, content]) => {
    const plain = plainLike(content);
    const text = `\nuser:\n\n${content}`;
    const plainText = `\nuser:\n\n${plain}`;
    const plainChat = [{ role: 'user', content: plain }];
    const chat = [{ role: 'user', content }];
    // One flat string each, as a file gives it.
    for (const string of [text, plainText, content, plain])
      Buffer.byteLength(string) + string.charCodeAt(string.length - 1);
    const [parse, parsePlain, print, printPlain] = medians(
      [
        () => parseChat(text),
        () => parseChat(plainText),
        () => Buffer.from(printChat(chat)),
        () => Buffer.from(printChat(plainChat)),
      ],
      rounds,
    ) as [number, number, number, number];
    return [
      {
        what: `parse ${what}`,
        ratio: parse / parsePlain,
        limit,
        detail: `${ms(parse)}, plain text ${ms(parsePlain)}`,
      },
      {
        what: `print ${what}`,
        ratio: print / printPlain,
        limit,
        detail: `${ms(print)}, plain text ${ms(printPlain)}`,
      },
    ];
  });

/** Time per byte at 4 and 16 times the size, against that at the first size. */
const growth = (): Result[] =>
  (
    [
      ['a session', (size) => printChat(session(size))],
      ['unclosed <foo…> lines', (size) => fill(size, (index) => `<foo${index}>`)],
      ['stray fences', (size) => fill(size, (index) => `\`\`\`js ${index}`)],
      ['[[ lines', (size) => fill(size, () => '[[')],
    ] as [string, (size: number) => string][]
  ).flatMap(([what, make]) => {
    const texts = [1, 4, 16].map((times) => make((times * megabyte) / 4));
    const chats = texts.map((content) => [{ role: 'user', content }]);
    const parse = medians(
      texts.map((text) => () => parseChat(text)),
      9,
    ).map((time, index) => time / texts[index]!.length);
    const print = medians(
      chats.map((chat) => () => printChat(chat)),
      9,
    ).map((time, index) => time / texts[index]!.length);
    const detail = (times: number[]) =>
      `ns a character at 0.25, 1 and 4 MB: ${times.map((time) => (time * 1e6).toPrecision(3)).join(', ')}`;
    return [
      { what: `parse ${what}, 16 times as much`, ratio: parse[2]! / parse[0]!, limit: null, detail: detail(parse) },
      { what: `print ${what}, 16 times as much`, ratio: print[2]! / print[0]!, limit: null, detail: detail(print) },
    ];
  });

/** Run in a process of its own: what reading and parsing a text takes of memory, the text and its messages included. */
const measureMemory = (file: string) => {
  const before = process.memoryUsage.rss();
  const text = readFileSync(file, 'utf8');
  const messages = parseChat(text, { file }).length;
  const peak = process.resourceUsage().maxRSS * 1024 - before;
  console.log(JSON.stringify({ bytes: Buffer.byteLength(text), messages, peak }));
};

const memory = (): Result[] => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const file = join(folder, 'long.chat');
  writeFileSync(file, printChat(session(100 * megabyte)));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), 'memory', file],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  if (!stdout) throw new Error(stderr);
  const { bytes, messages, peak } = JSON.parse(stdout) as { bytes: number; messages: number; peak: number };
  return [
    {
      what: 'memory of parsing 100 MB, in times of the text',
      ratio: peak / bytes,
      limit: 6,
      detail: `${messages} messages; growth of the resident memory at its highest, ${Math.round(peak / megabyte)} MB, the bytes and the text included`,
    },
  ];
};

/** What one more message costs, with 10, 1,000 and 10,000 of them in the file. */
const appending = async (): Promise<Result[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const cost: number[] = [];
  for (const stored of [10, 1_000, 10_000]) {
    const file = join(folder, `${stored}.chat`);
    await save(
      Array.from({ length: stored }, (_, index) => ({ role: 'user', content: `message ${index}\n\nwith two lines` })),
      file,
    );
    const appender = await openAppender(file);
    const times: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      const start = performance.now();
      await appender.append([{ role: 'assistant', content: `answer ${index}` }]);
      if (index >= 10) times.push(performance.now() - start);
    }
    cost.push(median(times));
  }
  rmSync(folder, { recursive: true });
  return [
    {
      what: 'append to 10,000 messages, against 10',
      ratio: cost[2]! / cost[0]!,
      limit: null,
      detail: `at 10, 1,000 and 10,000 stored messages: ${cost.map(ms).join(', ')}, on the disk`,
    },
  ];
};

export const run = async (): Promise<Result[]> => [
  ...againstJson(),
  ...worstCases(hostile, 3, 9),
  ...worstCases(busy, null, 3),
  ...growth(),
  ...memory(),
  ...(await appending()),
];

if (process.argv[2] === 'memory' && process.argv[1] === fileURLToPath(import.meta.url)) measureMemory(process.argv[3]!);
