import { type Chat, type Message, parseOutput } from '@colophon/chat-format';
import { printJson } from './print-json.js';
import { type CallReading, isCall, isOutput, readToolMessage } from './read-tool-message.js';
import type { StrategyContext } from './strategy.js';
import { uniqueIds } from './unique-ids.js';

/** One call of a group. */
export type ToolPair = {
  /** Its id in the prompt: no other pair has it. */
  id: string;
  call: Message;
  reading: CallReading;
  group: ToolGroup;
  answered: boolean;
  /** How many outputs stand in the chat up to and including its own; undefined where that is missing. */
  position: number | undefined;
};

/** Calls that stand together, with their outputs: what goes to a provider as one step. */
export type ToolGroup = {
  /** Its place among the groups of the chat. */
  index: number;
  pairs: ToolPair[];
  /** The outputs in stored order, those that were missing last. */
  outputs: Message[];
  /** The newest position of its members; that of the next output where none has one. */
  position: number;
};

/** A chat with its tool messages grouped, paired and repaired; `outputCount` counts every output, readable or not. */
export type GroupedChat = { parts: (Message | ToolGroup)[]; groups: ToolGroup[]; outputCount: number };

/** Whether a part of a grouped chat is a group. */
export const isGroup = (part: Message | ToolGroup): part is ToolGroup => !('role' in part);

/** The calls of one group that share an id; `next` is the first of them without an output, `older` a run of an earlier group. */
type OpenRun = { pairs: ToolPair[]; next: number; older: OpenRun | undefined };

/** The open calls by id. An id is looked for in the newest run of calls that used it; within a run, first in, first out. */
const openCalls = () => {
  const newest = new Map<string, OpenRun>();
  const add = (id: string, pair: ToolPair): void => {
    const run = newest.get(id);
    if (run?.pairs[0]?.group === pair.group) run.pairs.push(pair);
    else newest.set(id, { pairs: [pair], next: 0, older: run });
  };
  const take = (id: string): ToolPair | undefined => {
    const run = newest.get(id);
    if (!run) return undefined;
    const pair = run.pairs[run.next++];
    if (run.next === run.pairs.length) {
      if (run.older) newest.set(id, run.older);
      else newest.delete(id);
    }
    return pair;
  };
  return { add, take };
};

const withId = (message: Message, id: string): Message => {
  const { call_id: _, tool_call_id: __, ...fields } = parseOutput(message.content)?.fields ?? {};
  return { ...message, content: printJson({ ...fields, id }) };
};

const interruptedOutput = ({ id }: ToolPair): Message => ({
  role: 'function_call_output',
  content: JSON.stringify({
    id,
    content: 'This call was interrupted: no output was recorded for it.',
    error: 'missing',
  }),
  interrupted: true,
});

/**
 * Groups the tool messages of a chat. A group is a run of calls with nothing but `meta` between them, followed by all their
 * outputs, wherever those stood. An output reaches a call by its id; where ids repeat, the newest run of calls that used the
 * id, first in, first out, so that a call that was interrupted long ago never takes the output of a new one. A call without
 * an output gets one that says it was interrupted; outputs without a call and calls that can't be read are left out; ids
 * are made unique. What stands before a message, and the outputs of its own group, decide alone what comes of it. Linear in
 * the size of the chat.
 */
export const toolGroups = (chat: Chat, context: StrategyContext = {}): GroupedChat => {
  const parts: (Message | ToolGroup)[] = [];
  const groups: ToolGroup[] = [];
  const open = openCalls();
  const uniqueId = uniqueIds();
  let outputCount = 0;
  let current: ToolGroup | undefined;

  const addCall = (call: Message): void => {
    const reading = readToolMessage(call, context);
    if (reading?.name === undefined) return;
    if (!current) {
      current = { index: groups.length, pairs: [], outputs: [], position: outputCount + 1 };
      groups.push(current);
      parts.push(current);
    }
    const id = uniqueId(reading.id ?? 'call');
    const pair: ToolPair = {
      id,
      call: id === reading.id ? call : withId(call, id),
      reading,
      group: current,
      answered: false,
      position: undefined,
    };
    current.pairs.push(pair);
    open.add(reading.id ?? '', pair);
  };

  const addOutput = (output: Message): void => {
    const isStored = output['interrupted'] !== true;
    if (isStored) outputCount++;
    current = undefined;
    const reading = readToolMessage(output, context);
    const pair = reading ? open.take(reading.id ?? '') : undefined;
    if (!pair) return;
    const { group } = pair;
    pair.answered = true;
    group.outputs.push(pair.id === reading?.id ? output : withId(output, pair.id));
    if (isStored) group.position = pair.position = outputCount;
  };

  for (const message of chat) {
    if (isCall(message)) addCall(message);
    else if (isOutput(message)) addOutput(message);
    else {
      if (message.role !== 'meta') current = undefined;
      parts.push(message);
    }
  }
  for (const { pairs, outputs } of groups) {
    if (outputs.length === pairs.length) continue;
    for (const pair of pairs) if (!pair.answered) outputs.push(interruptedOutput(pair));
  }
  return { parts, groups, outputCount };
};

/** Adds the messages of a group as they are sent: its calls, then its outputs. */
export const addMessages = (chat: Chat, { pairs, outputs }: ToolGroup): void => {
  for (const { call } of pairs) chat.push(call);
  for (const output of outputs) chat.push(output);
};
