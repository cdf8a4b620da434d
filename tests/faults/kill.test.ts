import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type RecordedRequest,
  type ScriptedReply,
  type ScriptedServer,
  scriptedServer,
} from '@colophon/backends/testing';
import { type Chat, pairToolCalls, parseMeta } from '@colophon/chat-format';
import { loadChat } from '@colophon/chat-format/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli, type CliRun, runCli } from '../../apps/cli/test/built-cli.js';
import { times } from './scale.js';

const steps = 20;
const tools = fileURLToPath(new URL('step-tool.mjs', import.meta.url));
const roles = new Set(['user', 'meta', 'assistant', 'function_call', 'function_call_output']);

/** One answer that was sent, and the run of the program that asked for it. */
type Sent = { id: string; callIds: string[]; run: number };

let folder: string;
let server: ScriptedServer;
let run = 0;
let sent: Sent[] = [];

const outputsIn = ({ body }: RecordedRequest): number =>
  (body['messages'] as { role: string }[]).filter(({ role }) => role === 'tool').length;

/** Asks for the next step, every third time for two at once, until there are enough. */
const nextReply = (request: RecordedRequest, number: number): ScriptedReply => {
  const done = outputsIn(request);
  const wanted = done >= steps ? 0 : done % 3 === 2 ? 2 : 1;
  const calls = Array.from({ length: wanted }, (_, index) => ({
    id: `call_${number}_${index}`,
    name: 'step',
    arguments: { number: done + index },
  }));
  const id = `reply_${number}`;
  sent.push({ id, callIds: calls.map((call) => call.id), run });
  return {
    id,
    text: wanted > 0 ? `Now step ${done}.` : 'All steps are done.',
    calls,
    usage: { pt: 100 + number, ct: 7 },
  };
};

beforeAll(async () => {
  builtCli();
  folder = await mkdtemp(join(tmpdir(), 'kill-'));
  server = await scriptedServer(nextReply);
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const ask = async (file: string, words: string[], killAfter?: number): Promise<CliRun> => {
  run += 1;
  const environment = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.urls.openai, STEP_LOG: `${file}.steps` };
  return runCli(['ask', '-b', 'openai', '-m', 'scripted', '--tool', tools, '-c', file, ...words], {
    cwd: folder,
    environment,
    ...(killAfter === undefined ? {} : { onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), killAfter) }),
  });
};

const replyIds = (chat: Chat): string[] =>
  chat.flatMap(({ role, content }) => (role === 'meta' ? [String(parseMeta(content)['provider_response_id'])] : []));

const stepsRun = async (file: string): Promise<string[]> =>
  (await readFile(`${file}.steps`, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

/** What has to be on disk: every reply that a later request of its own run, or a tool, followed. */
const mustBeStored = (ran: readonly string[]): string[] =>
  sent
    .filter(({ run: its, callIds }, index) => sent[index + 1]?.run === its || callIds.some((id) => ran.includes(id)))
    .map(({ id }) => id);

const check = async (file: string): Promise<void> => {
  const chat = await loadChat(file);
  const stored = replyIds(chat);
  const ran = await stepsRun(file);
  expect(chat.filter(({ role }) => !roles.has(role)).map(({ role }) => role)).toEqual([]);
  expect(new Set(stored).size, 'replies that are there twice').toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(mustBeStored(ran)));
  expect(sent.length - stored.length, 'replies that are missing').toBeLessThanOrEqual(run);
  const calls = pairToolCalls(chat).map(({ callId }) => callId);
  expect(new Set(calls).size).toBe(calls.length);
  expect(new Set(ran).size, 'steps that ran twice').toBe(ran.length);
};

test(`a run that is killed at a random moment, ${times(200)} times`, async () => {
  run = 0;
  const whole = join(folder, 'whole.chat');
  const begun = performance.now();
  expect(await ask(whole, ['Take', 'twenty', 'steps.'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('All steps are done.'),
  });
  const duration = performance.now() - begun;

  const killedAt = { start: 0, middle: 0, end: 0 };
  for (let round = 0; round < times(200); round++) {
    [run, sent] = [0, []];
    const file = join(folder, `killed-${round}.chat`);
    let words = ['Take', 'twenty', 'steps.'];
    for (let kill = 0; kill <= round % 3; kill++) {
      const { signal } = await ask(file, words, Math.random() * duration);
      const chat: Chat = await loadChat(file).catch(() => []);
      if (chat.length > 0) {
        words = [];
        await check(file);
      }
      killedAt[signal === null ? 'end' : chat.length > 0 ? 'middle' : 'start'] += 1;
    }
    const last = await ask(file, words);
    expect(last, last.stderr).toMatchObject({ code: 0 });
    await check(file);
    const chat = await loadChat(file);
    expect(chat.at(-1)).toMatchObject({ role: 'assistant', content: 'All steps are done.' });
    expect(chat.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['Take twenty steps.']);
    expect(pairToolCalls(chat).filter(({ outputAddress }) => outputAddress === null)).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  }
  expect(killedAt.middle).toBeGreaterThan(times(200) / 4);
});
