import type { Chat } from '@colophon/chat-format';
import { filesPath, readJob, type Step } from '@colophon/workflow';
import type { AgentContext } from './agent-context.js';

// How the notes begin: a chat that is taken from another job's answer has that job's, which are not this one's.
const work = 'You work on the job ';
const needed = 'Jobs that it depends on: ';
const others = 'Other jobs of this chat: ';

const isNote = (content: string): boolean => [work, needed, others].some((start) => content.startsWith(start));

/** A chat without the notes of an earlier job. */
export const withoutJobNotes = (chat: Chat): Chat =>
  chat.filter(({ role, content }) => role !== 'system' || !isNote(content));

// Dependencies of dependencies, each once.
const dependenciesOf = async (path: string, seen: Set<string>): Promise<void> => {
  const { dependencies } = await readJob(path);
  for (const dependency of dependencies) {
    if (seen.has(dependency)) continue;
    seen.add(dependency);
    await dependenciesOf(dependency, seen);
  }
};

/** What an agent is told of the job that it works on: where it is, what it depends on, which other jobs its chat speaks of. */
export const jobNotes = async (
  { path }: Step,
  { workingDirectory = '/' }: AgentContext,
  mentioned: readonly string[],
): Promise<Chat> => {
  const dependencies = new Set<string>();
  await dependenciesOf(path, dependencies);
  const notes = [
    `${work}${path}. The working folder is ${workingDirectory}; files of the job go to ${filesPath(path)}.`,
    ...(dependencies.size > 0 ? [`${needed}${[...dependencies].join(', ')}`] : []),
    ...(mentioned.length > 0 ? [`${others}${[...new Set(mentioned)].join(', ')}`] : []),
  ];
  return notes.map((content) => ({ role: 'system', content }));
};
