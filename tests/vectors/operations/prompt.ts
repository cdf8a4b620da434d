import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chat, ColophonError, type Message, parseCall, parseOutput, printCall } from '@colophon/chat-format';
import { epochSchedule, inboxPaths, preparePrompt } from '@colophon/prompt-strategies';
import type { Json, Operation } from '../vector.js';
import { plainMessages } from './chat-of.js';

const heading = '=== Context Management ===';
const toolRoles = ['function_call', 'mcp_call', 'function_call_output'];

const callMessages = ({ id, name, arguments: values, output, ...envelope }: Json): Message[] => [
  { role: 'function_call', content: printCall({ name, arguments: values, id }) },
  { role: 'function_call_output', content: JSON.stringify({ name, content: output, id, ...envelope }) },
];

const historyOf = ({ messages, before, calls, after = [] }: Json): Chat =>
  messages ?? [...(before ?? [{ role: 'user', content: 'Go on.' }]), ...(calls ?? []).flatMap(callMessages), ...after];

/** The two messages of each call, by id. */
const pairsOf = (chat: Chat): Map<string, { call?: string; output?: string }> => {
  const pairs = new Map<string, { call?: string; output?: string }>();
  for (const { role, content } of chat) {
    if (!toolRoles.includes(role)) continue;
    const part = role === 'function_call_output' ? 'output' : 'call';
    const id = (part === 'output' ? parseOutput(content) : parseCall(content))?.id;
    if (id !== undefined) pairs.set(id, { ...pairs.get(id), [part]: content });
  }
  return pairs;
};

const isNotice = ({ role, content }: Message): boolean => role === 'user' && content.includes(heading);

const noticeOf = (chat: Chat) => {
  const notice = chat.find(isNotice)?.content;
  const count = (word: string) => Number(new RegExp(`(\\d+) messages? ${word}`).exec(notice ?? '')?.[1]);
  return notice === undefined
    ? { present: false }
    : { present: true, compacted: count('shortened'), shortened: count('shortened'), removed: count('removed') };
};

/** What became of each call of a history. */
const comparison = (history: Chat, prompt: Chat) => {
  const before = pairsOf(history);
  const after = pairsOf(prompt);
  const ids = (
    accepts: (now: { call?: string; output?: string }, then: { call?: string; output?: string }) => boolean,
  ) => [...before].filter(([id, pair]) => accepts(after.get(id) ?? {}, pair)).map(([id]) => id);
  const isWhole: Parameters<typeof ids>[0] = (now, then) => now.call === then.call && now.output === then.output;
  return {
    full: ids(isWhole),
    compacted: ids((now, then) => now.call !== undefined && now.output !== undefined && !isWhole(now, then)),
    dropped: ids((now) => now.call === undefined && now.output === undefined),
    notice: noticeOf(prompt),
    unchanged: JSON.stringify(plainMessages(prompt)) === JSON.stringify(plainMessages(history)),
    other_messages: prompt
      .filter((message) => !toolRoles.includes(message.role) && !isNotice(message))
      .map(({ role }) => role),
  };
};

const shortens =
  (strategy: string): Operation =>
  async (input) => {
    const history = historyOf(input);
    const { chat } = await preparePrompt(history, strategy, { options: input.config ?? {} });
    return comparison(history, chat);
  };

const namesIn = (folder: string): Promise<string[] | null> =>
  readdir(folder).then(
    (names) => names.sort(),
    () => null,
  );

const timesIn = async (folder: string): Promise<Map<string, number>> => {
  const names = (await namesIn(folder)) ?? [];
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs] as const)),
  );
};

const contentsIn = async (folder: string): Promise<Record<string, string>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
};

/** One run of the inbox strategy. */
const inboxRun = async (messages: Chat, saveFile: string | null | undefined) => {
  try {
    const { chat } = await preparePrompt(messages, 'inbox', saveFile ? { saveFile } : {});
    return { messages: chat.map(({ role, content }) => [role, content]) };
  } catch (error) {
    if (error instanceof ColophonError && error.code === 'aborted')
      return { aborted: true, reason: error.facts['reason'] };
    throw error;
  }
};

/** What a model sees of a chat. */
export const prompt: Record<string, Operation> = {
  shorten_tools: shortens('shorten_tools'),
  shorten_tools_epoch: shortens('shorten_tools_epoch'),
  shorten_tools_epoch_increment: shortens('shorten_tools_epoch_increment'),
  epoch_increment_schedule: (input) => {
    const schedule = epochSchedule({
      total: input.total,
      repeats: input.repeats,
      threshold: input.threshold,
      initialSize: input.initial_size,
      epochsPerIncrease: input.epochs_per_increase,
      sizeIncrease: input.size_increase,
      repeatIncrease: input.repeat_increase,
      maxSize: input.max_size,
    });
    return {
      epoch_index: schedule.epochIndex,
      pinned_total: schedule.pinnedTotal,
      new_calls: schedule.newCalls,
      nominal_size: schedule.nominalSize,
      epoch_size: schedule.epochSize,
      repeat_detected: schedule.repeatDetected,
    };
  },
  prepare_prompt: async (input) => {
    const history = historyOf(input);
    const before = JSON.stringify(history);
    const { chat } = await preparePrompt(history, input.strategies ?? undefined, {
      options: input.config ?? {},
      ...(input.save_file ? { saveFile: input.save_file } : {}),
    });
    return {
      ...comparison(history, chat),
      messages: plainMessages(chat),
      input_unchanged: JSON.stringify(history) === before,
    };
  },
  inbox_paths: ({ save_file }) => inboxPaths(save_file),
  inbox: async ({ save_file, messages, runs = 1 }) => {
    const { inbox, removed } = inboxPaths(save_file ?? '');
    const before = await timesIn(inbox);
    const results = [];
    for (let run = 0; run < runs; run++) results.push(await inboxRun(messages, save_file));
    const left = await namesIn(inbox);
    const kept = new Set((await timesIn(removed)).values());
    return {
      runs: results,
      inbox: left,
      removed: await namesIn(removed),
      removed_contents: await contentsIn(removed),
      mtimes_kept: [...before].every(([name, time]) => left?.includes(name) || kept.has(time)),
    };
  },
};
