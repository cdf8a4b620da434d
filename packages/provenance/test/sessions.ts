import { type Meta, printCall, printChat, printMeta } from '@colophon/chat-format';
import fc from 'fast-check';
import type { Files } from './memory-reader.js';

/** A session as data: files by path below its folder, absolute references with the folder in front. */
export type Session = { folder: string; root: string; files: Files };

/** What a chat of a generated session holds, by numbers: inferences of a pool, jobs of a list; one more than there are is missing. */
type ChatPlan = {
  /** Its records say another total than those of other chats. */
  odd: boolean;
  own: number[];
  legacy: boolean;
  jobs: number[];
  receipts: { inferences: number[]; jobs: number[] }[];
};
type JobPlan = {
  log: ChatPlan;
  legacyLog: boolean;
  result: ChatPlan | null;
  society: ChatPlan | null;
  needs: number[];
};
export type SessionPlan = { root: ChatPlan; transcript: ChatPlan | null; jobs: JobPlan[] };

const poolSize = 12;
const mostJobs = 4;

const inferenceNumber = fc.nat({ max: poolSize - 1 });
const jobNumber = fc.nat({ max: mostJobs });
const chatPlan: fc.Arbitrary<ChatPlan> = fc.record({
  odd: fc.boolean(),
  own: fc.array(inferenceNumber, { maxLength: 4 }),
  legacy: fc.boolean(),
  jobs: fc.array(jobNumber, { maxLength: 2 }),
  receipts: fc.array(
    fc.record({
      inferences: fc.array(inferenceNumber, { maxLength: 3 }),
      jobs: fc.array(jobNumber, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
});

export const sessionPlan: fc.Arbitrary<SessionPlan> = fc.record({
  root: chatPlan,
  transcript: fc.option(chatPlan),
  jobs: fc.array(
    fc.record({
      log: chatPlan,
      legacyLog: fc.boolean(),
      result: fc.option(chatPlan),
      society: fc.option(chatPlan),
      needs: fc.array(jobNumber, { maxLength: 2 }),
    }),
    { maxLength: mostJobs },
  ),
});

/** The record of an inference of the pool: the same in every place that is not odd. Some are told apart by their provider's id alone. */
const recordOf = (number: number, odd: boolean): Meta => ({
  pt: 10 + number,
  ...(number % 3 === 0 ? {} : { ct: 1 + number }),
  tt: 11 + 2 * number + (odd ? 1 : 0),
  ...(number % 2 === 0 ? { cct: number } : {}),
  ...(number % 4 === 3 ? { provider_response_id: `r${number}` } : { inference_id: `i${number}` }),
  pt_c: 1_000_000,
});

export const receiptText = (id: string, meta: unknown[]): string =>
  printChat([
    { role: 'function_call', content: printCall({ name: 'ask', arguments: {}, id }) },
    { role: 'function_call_output', content: JSON.stringify({ id, content: 'said', meta }) },
  ]);

const chatText = (plan: ChatPlan, jobPath: (number: number) => string, name: string): string => {
  const messages = [
    { role: 'user', content: plan.legacy ? 'Shared question.' : `Question of ${name}.` },
    ...(plan.legacy
      ? [
          { role: 'meta', content: printMeta({ pt: 5, ct: 1, tt: 6 }) },
          { role: 'assistant', content: 'Shared answer.' },
        ]
      : []),
    ...plan.own.map((number) => ({ role: 'meta', content: printMeta(recordOf(number, plan.odd)) })),
    // Whole and short references to one job.
    ...plan.jobs.flatMap((number) => [
      { role: 'meta', content: printMeta({ job: jobPath(number) }) },
      { role: 'meta', content: printMeta({ job: `Tide/ask/job${number}` }) },
    ]),
    { role: 'assistant', content: `Answer of ${name}.` },
  ];
  const receipts = plan.receipts.map(({ inferences, jobs }, index) =>
    receiptText(`${name}-${index}`, [
      ...inferences.map((number) => recordOf(number, plan.odd)),
      ...jobs.map((number) => ({ job: jobPath(number) })),
    ]),
  );
  return [printChat(messages), ...receipts].join('\n\n');
};

/** Lays a plan out as files below a folder. */
export const toSession = (plan: SessionPlan, folder = '/session'): Session => {
  const jobPath = (number: number): string => `${folder}/var/jobs/Tide/ask/job${number}`;
  const files: Files = { [`${folder}/root.chat`]: chatText(plan.root, jobPath, 'root') };
  if (plan.transcript) files[`${folder}/root.chat.files/agent.chat`] = chatText(plan.transcript, jobPath, 'agent');
  for (const [number, job] of plan.jobs.entries()) {
    const path = jobPath(number);
    const type = job.result ? 'chat' : 'string';
    files[`${path}.info`] = JSON.stringify({ status: 'done', type, dependencies: job.needs.map(jobPath) });
    files[path] = job.result ? chatText(job.result, jobPath, `result${number}`) : 'answer';
    files[`${path}.files/${job.legacyLog ? 'log/' : ''}agent.chat`] = chatText(job.log, jobPath, `log${number}`);
    if (job.society)
      files[`${path}.files/agent.society/Pilot/one/agent.chat`] = chatText(job.society, jobPath, `society${number}`);
  }
  return { folder, root: `${folder}/root.chat`, files };
};

export const session: fc.Arbitrary<Session> = sessionPlan.map((plan) => toSession(plan));

const even = <Plan>(plan: Plan): Plan =>
  JSON.parse(JSON.stringify(plan), (key, value) => (key === 'odd' ? false : value));

/** A session whose copies all agree. */
export const evenSession: fc.Arbitrary<Session> = sessionPlan.map((plan) => toSession(even(plan)));

/** How often a law is tried. */
export const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 1_000;
