import { inboxPaths } from '@colophon/prompt-strategies';
import { jobsFilesBelow, logsOnDisk } from './find-logs.js';
import type { AnalystContext } from './task.js';

/** A chat of a job that a running chat waits for; `jobsFile` is where the job is named. */
export type ChatInFlight = { path: string; jobsFile: string };

/** Levels of `.jobs` files that are followed: those of the session, and those of the chats found through them. */
const levels = 2;

/** Lines of a `.jobs` file beyond which it is no such file. */
const mostJobs = 10_000;

const jobsNamedIn = async (jobsFile: string, { files, reader }: AnalystContext): Promise<string[]> => {
  const lines = ((await files.readText(jobsFile)) ?? '').split('\n').slice(0, mostJobs);
  const found = await Promise.all(
    [...new Set(lines.map((line) => line.trim()))].map((line) =>
      line === '' ? undefined : reader.findJob(line, jobsFile),
    ),
  );
  return found.filter((path) => path !== undefined);
};

/**
 * Chats of jobs that run for the chats of a session, found through the `.jobs` files beside these; no edge leads to them yet. What
 * vanishes meanwhile, or leads nowhere, is left out.
 */
export const chatsInFlight = async (
  root: string,
  chats: readonly string[],
  context: AnalystContext,
): Promise<ChatInFlight[]> => {
  const found: ChatInFlight[] = [];
  const seenFiles = new Set<string>();
  const seenChats = new Set(chats);
  let level = [
    ...chats.map((path) => inboxPaths(path).jobs),
    inboxPaths(root).jobs,
    ...(await jobsFilesBelow(root, context.files)),
  ];
  for (let depth = 0; depth < levels; depth++) {
    const next: string[] = [];
    for (const jobsFile of level) {
      if (seenFiles.has(jobsFile)) continue;
      seenFiles.add(jobsFile);
      for (const job of await jobsNamedIn(jobsFile, context))
        for (const path of await logsOnDisk(job, context.files)) {
          if (seenChats.has(path)) continue;
          seenChats.add(path);
          found.push({ path, jobsFile });
          next.push(inboxPaths(path).jobs);
        }
    }
    level = next;
  }
  return found;
};
