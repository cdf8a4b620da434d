import { z } from 'zod';
import { shortPath } from '../address.js';
import { isReceiptOnly } from '../receipts-of-calls.js';
import { edgeSchema, toReportEdges } from '../report-edges.js';
import type { Session } from '../session.js';
import { defineTask } from '../task.js';
import { toReportWarning, warningSchema } from '../warnings.js';

const chatSchema = z.object({
  path: z.string(),
  messages: z.number().int(),
  roles: z.record(z.string(), z.number().int()),
  direct_jobs: z.array(z.string()).describe('jobs that its metas name'),
  tool_calls: z.number().int(),
  receipt_records: z.number().int(),
  receipt_job_references: z.array(z.string()),
});

const jobSchema = z.object({
  path: z.string(),
  workflow: z.string(),
  task: z.string(),
  status: z.string(),
  missing: z.literal(true).optional().describe('nothing of it was found'),
  dependencies: z.number().int(),
  direct_logs: z.number().int(),
});

const whole = () => z.number().int();

const overviewOutput = z.object({
  root: z.object({ kind: z.enum(['chat', 'job']), path: z.string() }),
  chats: z.array(chatSchema),
  jobs: z.array(jobSchema),
  edges: z.array(edgeSchema),
  totals: z.object({
    chats: whole(),
    jobs: whole(),
    missing_jobs: whole(),
    messages: whole(),
    tool_calls: whole(),
    job_edges: whole(),
    dependency_edges: whole(),
    log_edges: whole(),
    result_edges: whole(),
    agent_job_edges: whole(),
    receipt_records: whole(),
    receipt_only_events: whole(),
    conflicts: whole(),
    incomplete_evidence: whole(),
  }),
  warnings: z.array(warningSchema),
});

const named = (values: Iterable<unknown>, home: string | undefined): string[] => [
  ...new Set(
    [...values].filter((value) => value !== undefined && value !== '').map((value) => shortPath(String(value), home)),
  ),
];

const toReportChats = (session: Session): z.input<typeof chatSchema>[] =>
  session.chats.map((chat) => {
    const { roles, calls } = session.extras(chat);
    const { messages, metas, receipts } = chat.facts;
    const { home } = session.context;
    return {
      path: shortPath(chat.path, home),
      messages,
      roles,
      direct_jobs: named(
        metas.map(({ meta }) => meta['job']),
        home,
      ),
      tool_calls: calls.length,
      receipt_records: receipts.length,
      receipt_job_references: named(
        receipts.map(({ meta }) => meta['job']),
        home,
      ),
    };
  });

const toReportJobs = (session: Session): z.input<typeof jobSchema>[] =>
  session.jobs.map(({ id, path, missing, facts }) => ({
    path: shortPath(path, session.context.home),
    workflow: facts.workflow,
    task: facts.task,
    status: facts.status,
    ...(missing ? { missing: true as const } : {}),
    dependencies: facts.dependencies.length,
    direct_logs: session.edgesFrom(id).filter(({ relation }) => relation === 'log').length,
  }));

/** The structure of a session: chats, jobs, and what leads from one to the other. */
export const chatOverview = defineTask({
  name: 'chat_overview',
  description:
    'The map of a session: every chat and job with its counts, the typed edges between them (job, agent_job, dependency, log, result), totals and warnings. Start here in an unknown session; `chat_tokens` tells the cost, `chat_agents` the delegation.',
  root: 'session',
  input: z.object({}),
  output: overviewOutput,
  run: (session) => {
    const { home } = session.context;
    const [chats, jobs] = [toReportChats(session), toReportJobs(session)];
    const { edges } = session.graph;
    const edgesOf = (relation: string) => edges.filter((edge) => edge.relation === relation).length;
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      root: { kind: session.root.kind, path: shortPath(session.root.path, home) },
      chats,
      jobs,
      edges: toReportEdges(session, edges),
      totals: {
        chats: chats.length,
        jobs: jobs.length,
        missing_jobs: session.jobs.filter(({ missing }) => missing).length,
        messages: sum(chats.map(({ messages }) => messages)),
        tool_calls: sum(chats.map(({ tool_calls }) => tool_calls)),
        job_edges: edgesOf('job'),
        dependency_edges: edgesOf('dependency'),
        log_edges: edgesOf('log'),
        result_edges: edgesOf('result'),
        agent_job_edges: edgesOf('agent_job'),
        receipt_records: sum(chats.map(({ receipt_records }) => receipt_records)),
        receipt_only_events: session.events.filter(isReceiptOnly).length,
        conflicts: session.events.filter(({ conflict }) => conflict).length,
        incomplete_evidence: session.events.filter(({ incompleteEvidence }) => incompleteEvidence).length,
      },
      warnings: session.warnings.map((warning) => toReportWarning(warning, home)),
    };
  },
});
