import { type Chat, type Message, parseOutput } from '@colophon/chat-format';
import { printJson } from './print-json.js';
import { isCall, isOutput, readToolMessage } from './read-tool-message.js';
import type { StrategyContext } from './strategy.js';

/** One call of a group. `key` is shared by calls of one name with the same arguments. */
export type ToolPair = {
  /** Its id in the prompt: no other pair has it. */
  id: string;
  call: Message;
  key: string;
  answered: boolean;
  /** How many outputs stand in the chat up to and including its own; undefined where that is missing. */
  position?: number;
};

/** Calls that stand together, with their outputs: what goes to a provider as one step. */
export type ToolGroup = {
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
type OpenRun = { group: ToolGroup; pairs: ToolPair[]; next: number; older: OpenRun | undefined };

/** Gives ids out once: the first to come keeps its id, later ones get `_2`, `_3`… behind it. */
const uniqueIds = (): ((id: string) => string) => {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return (id) => {
    let unique = id;
    for (let number = next.get(id) ?? 2; used.has(unique); number++) {
      unique = `${id}_${number}`;
      next.set(id, number + 1);
    }
    used.add(unique);
    return unique;
  };
};

/** The open calls by id. An id is looked for in the newest run of calls that used it; within a run, first in, first out. */
const openCalls = () => {
  const newest = new Map<string, OpenRun>();
  const add = (id: string, group: ToolGroup, pair: ToolPair): void => {
    const run = newest.get(id);
    if (run?.group === group) run.pairs.push(pair);
    else newest.set(id, { group, pairs: [pair], next: 0, older: run });
  };
  const take = (id: string): OpenRun | undefined => {
    const run = newest.get(id);
    if (!run) return undefined;
    run.next++;
    if (run.next === run.pairs.length) {
      if (run.older) newest.set(id, run.older);
      else newest.delete(id);
    }
    return run;
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
  const open = openCalls();
  const uniqueId = uniqueIds();
  let outputCount = 0;
  let current: ToolGroup | undefined;

  const addCall = (call: Message): void => {
    const reading = readToolMessage(call, context);
    if (reading?.key === undefined) return;
    if (!current) {
      current = { pairs: [], outputs: [], position: outputCount + 1 };
      parts.push(current);
    }
    const id = uniqueId(reading.id ?? 'call');
    const pair = { id, call: id === reading.id ? call : withId(call, id), key: reading.key, answered: false };
    current.pairs.push(pair);
    open.add(reading.id ?? '', current, pair);
  };

  const addOutput = (output: Message): void => {
    const isStored = output['interrupted'] !== true;
    if (isStored) outputCount++;
    current = undefined;
    const reading = readToolMessage(output, context);
    const run = reading ? open.take(reading.id ?? '') : undefined;
    const pair = run?.pairs[run.next - 1];
    if (!run || !pair) return;
    const { group } = run;
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
  const groups = parts.filter(isGroup);
  for (const { pairs, outputs } of groups)
    outputs.push(...pairs.filter((pair) => !pair.answered).map(interruptedOutput));
  return { parts, groups, outputCount };
};

/** The messages of a group as they are sent: its calls, then its outputs. */
export const groupMessages = (group: ToolGroup): Message[] => [
  ...group.pairs.map((pair) => pair.call),
  ...group.outputs,
];

/**
 * Makes a chat one that a provider accepts: each call is followed by its output with nothing between them, and no id stands
 * twice. A well-formed chat stays as it is, message by message. Linear in the size of the chat.
 */
export const repairPairs = (chat: Chat, context: StrategyContext = {}): Chat =>
  toolGroups(chat, context).parts.flatMap((part) => (isGroup(part) ? groupMessages(part) : [part]));
