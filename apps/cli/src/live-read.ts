import { statSync } from 'node:fs';
import { type AnalystContext, runTask, tasks } from '@colophon/analyst-tasks';
import { readConversation } from '@colophon/backends';
import { parseCall, parseOutput } from '@colophon/chat-format';
import { shownPath } from '@colophon/provenance';
import type { MachineContext } from './context.js';
import type { LiveState } from './live-view.js';
import { liveWork } from './live-work.js';

type LiveChats = { chats: { path: string; age: number }[] };
type Report = { tokens: { deduplicated_total: { tt: number }; direct_events: number } };

const shownMessages = 60;

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

const lineOf = (role: string, content: string): string => {
  const call = role === 'function_call' ? parseCall(content) : undefined;
  if (call) return `→ ${call.name} ${JSON.stringify(call.arguments)}`;
  const output = role === 'function_call_output' ? parseOutput(content) : undefined;
  if (output) return `${output.error ? '✗' : '←'} ${output.name ?? ''} ${firstLine(String(output.content))}`;
  return `${role}: ${firstLine(content)}`;
};

const isShown = (role: string): boolean => role !== 'meta' && role !== 'skip' && role !== 'previous_response_id';

const absolute = (path: string, { home, workingDirectory }: MachineContext): string =>
  path.startsWith('~/') ? `${home}${path.slice(1)}` : path.startsWith('/') ? path : `${workingDirectory}/${path}`;

const tailOf =
  (cache: Map<string, { state: string; tail: string[] }>) =>
  async (path: string): Promise<string[]> => {
    const facts = statSync(path, { throwIfNoEntry: false });
    const state = `${facts?.size} ${facts?.mtimeMs}`;
    const known = cache.get(path);
    if (known?.state === state) return known.tail;
    const chat = facts ? await readConversation(path).catch(() => []) : [];
    const tail = chat
      .filter(({ role }) => isShown(role))
      .slice(-shownMessages)
      .map(({ role, content }) => lineOf(role, content));
    cache.set(path, { state, tail });
    return tail;
  };

/** Reads a session as it stands now; what has not changed since the last time is not read again. */
export const createLiveReader = (file: string, analyst: AnalystContext, machine: MachineContext) => {
  const tail = tailOf(new Map());
  return async (chosenPath: string | undefined): Promise<Omit<LiveState, 'entry' | 'said'>> => {
    const live = await runTask<LiveChats>('live_chats', { file }, analyst, tasks);
    const report = await runTask<Report>('chat_report', { file }, analyst, tasks);
    const chats = live.chats.map(({ path, age }) => {
      const whole = absolute(path, machine);
      return { path: whole, shown: shownPath(whole, machine.home), age };
    });
    const index = chats.findIndex(({ path }) => path === chosenPath);
    const chosen = Math.max(index, 0);
    const { tokens } = report;
    return {
      chats,
      chosen,
      tail: chats[chosen] ? await tail(chats[chosen].path) : [],
      tokens: { total: tokens.deduplicated_total.tt, events: tokens.direct_events },
      work: await liveWork(
        chats.map(({ path }) => path),
        new Set(),
        analyst.reader,
        machine,
      ),
    };
  };
};
