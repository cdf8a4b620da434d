import { z } from 'zod';
import { shortPath } from '../address.js';
import { logsOnDisk } from '../find-logs.js';
import { chatsInFlight } from '../jobs-in-flight.js';
import type { Session } from '../session.js';
import { defineTask } from '../task.js';

const source = z.enum(['provenance', 'glob', 'jobs']);

const liveChat = z.object({
  path: z.string(),
  mtime: z.string().describe('last change, ISO 8601'),
  age: z.number().describe('seconds since then'),
  size: z.number().int().describe('bytes'),
  likely_active: z.boolean().describe('the newest of all: what is written now is most likely written there'),
  source: source.describe('how it was found; `jobs`: a job that a running chat waits for'),
  jobs_file: z.string().optional().describe('the file that names that job'),
});

type Found = { path: string; source: z.output<typeof source>; jobsFile?: string };

/** What provenance leads to; where the root's own record is damaged, or leads nowhere, what is on disk. */
const findChats = async ({
  chats,
  root,
  warnings,
  context,
}: Session): Promise<{ found: Found[]; source: 'provenance' | 'glob' }> => {
  const damaged = warnings.some(({ code, path }) => code === 'damaged_info' && path === root.path);
  const paths = chats.map(({ path }) => path);
  if (paths.length > 0 && !damaged)
    return { found: paths.map((path) => ({ path, source: 'provenance' })), source: 'provenance' };
  const own = root.kind === 'chat' ? [root.path] : [];
  const logs = [...own, ...(await logsOnDisk(root.path, context.files))];
  return { found: logs.map((path) => ({ path, source: 'glob' })), source: 'glob' };
};

/** The chats of a session, the newest first. */
export const liveChats = defineTask({
  name: 'live_chats',
  description:
    'The chat logs of a session, newest first: the first is the one that is most likely being written. Found by provenance, else on disk, else through the `.jobs` files beside chats, which name the jobs that are being waited for; those entries come and go. Post advice to the chat that is found here.',
  root: 'session',
  input: z.object({}),
  output: z.object({
    root: z.string(),
    root_kind: z.enum(['chat', 'job']),
    chats: z.array(liveChat),
    total: z.number().int(),
    source: z.enum(['provenance', 'glob']),
    job: z
      .object({
        status: z.string(),
        running: z.boolean(),
        done: z.boolean(),
        error: z.boolean(),
        aborted: z.boolean(),
        started: z.boolean(),
      })
      .optional()
      .describe('of a job'),
  }),
  run: async (session) => {
    const { root, context } = session;
    const { home, files, now } = context;
    const known = await findChats(session);
    const inFlight = await chatsInFlight(
      root.path,
      known.found.map(({ path }) => path),
      context,
    );
    const all: Found[] = [...known.found, ...inFlight.map((one): Found => ({ ...one, source: 'jobs' }))];
    const time = now().getTime();
    const entries = await Promise.all(
      all.map(async (one) => {
        const facts = await files.stat(one.path);
        return facts ? [{ ...one, ...facts }] : [];
      }),
    );
    const sorted = entries
      .flat()
      .sort((one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1));
    const record = root.kind === 'job' ? await context.readJob(root.path) : undefined;
    return {
      root: shortPath(root.path, home),
      root_kind: root.kind,
      chats: sorted.map(({ path, modified, size, source: by, jobsFile }, index) => ({
        path: shortPath(path, home),
        mtime: new Date(modified).toISOString(),
        age: Math.max(0, Math.round((time - modified) / 1000)),
        size,
        likely_active: index === 0,
        source: by,
        ...(jobsFile === undefined ? {} : { jobs_file: shortPath(jobsFile, home) }),
      })),
      total: sorted.length,
      source: known.source,
      ...(record
        ? {
            job: {
              status: record.status,
              running: record.running,
              done: record.done,
              error: record.status === 'error',
              aborted: record.status === 'aborted',
              started: record.done || record.running,
            },
          }
        : {}),
    };
  },
});
