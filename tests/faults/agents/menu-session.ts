import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { type ScriptedServer, scriptedServer } from '@colophon/backends/testing';
import { buildGraph, type TokenEvent, tokenEvents, tokenTotals } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { type CliRun, runCli } from '../../../apps/cli/test/built-cli.js';
import { menuModels, type SentReply } from './menu-models.js';

const kitchen = fileURLToPath(new URL('../../../fixtures/agents/menu', import.meta.url));

/** A kitchen of its own in a folder, the server that plays its models, and the program that runs it. */
export type MenuSession = {
  folder: string;
  record: string;
  society: string;
  sent: SentReply[];
  server: ScriptedServer;
  ask: (words: string[], killAfter?: number) => Promise<CliRun>;
  /** Shelves that were counted, once for each run of the task. */
  counted: () => string[];
};

/** Begins one; close its server in the end. */
export const startMenu = async (parent: string): Promise<MenuSession> => {
  mkdirSync(join(parent, 'kitchen'), { recursive: true });
  const folder = realpathSync(join(parent, 'kitchen'));
  cpSync(kitchen, folder, { recursive: true, filter: (path) => !path.includes('/session') });
  mkdirSync(join(folder, 'var', 'jobs'), { recursive: true });
  const { reply, sent, society } = menuModels(folder);
  const server = await scriptedServer(reply);
  const environment = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.urls.openai };
  return {
    folder,
    record: join(folder, 'menu.chat'),
    society,
    sent,
    server,
    ask: (words, killAfter) =>
      runCli(['agent', 'ask', 'Chef', '-b', 'openai', '-m', 'scripted', '-c', 'menu.chat', ...words], {
        cwd: folder,
        environment,
        ...(killAfter === undefined
          ? {}
          : { onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), killAfter) }),
      }),
    counted: () => {
      const log = join(folder, 'counted');
      return existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
    },
  };
};

/** What the files of a session say of its inferences, and nothing else. */
export const readEvidence = async ({ folder, record }: MenuSession) => {
  const graph = await buildGraph(record, { reader: nodeReader({ roots: [folder] }) });
  const { events, warnings } = tokenEvents(graph);
  return {
    events,
    warnings: [...graph.warnings, ...warnings],
    total: tokenTotals(events, 'deduplicated_total'),
  };
};

/** One report on it. */
export const report = (session: MenuSession, task: string, input: object = {}): Promise<unknown> =>
  runTask(
    task,
    { file: session.record, ...input },
    nodeAnalystContext({ workingDirectory: session.folder, roots: [session.folder] }),
    tasks,
  );

/** The agent in whose conversation an inference is persisted: the folder of the deepest chat that has it. */
export const agentOf = ({ evidence }: TokenEvent): string => {
  const sources = evidence.filter(({ origin }) => origin === 'chat_meta').map(({ source }) => source);
  const [deepest = ''] = sources.sort((a, b) => b.length - a.length);
  return /([^/]+)\/[^/]+\/agent\.chat$/.exec(deepest)?.[1] ?? 'Chef';
};
