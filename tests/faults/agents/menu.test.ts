import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConversation } from '@colophon/backends';
import { parseMeta } from '@colophon/chat-format';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli, runCli } from '../../../apps/cli/test/built-cli.js';
import { agentOf, type MenuSession, readEvidence, report, startMenu } from './menu-session.js';

let parent: string;
let session: MenuSession;

beforeAll(async () => {
  builtCli();
  parent = mkdtempSync(join(tmpdir(), 'menu-'));
  session = await startMenu(parent);
  const { code, stdout, stderr } = await session.ask(['What is on the menu?']);
  expect({ code, stdout: stdout.trim() }, stderr).toEqual({ code: 0, stdout: 'The menu is done.' });
}, 300_000);

afterAll(async () => {
  await session?.server.close();
  rmSync(parent, { recursive: true, force: true });
});

const count = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

test('each of the 60 replies is in the files once, in the conversation of the agent that it was for', async () => {
  expect(count(session.sent.map(({ who }) => who))).toEqual({ Chef: 4, Baker: 23, Critic: 15, Buyer: 11, Clerk: 7 });
  const { events, warnings, total } = await readEvidence(session);
  expect(warnings).toEqual([]);
  expect(events.map(({ providerResponseId }) => providerResponseId).sort()).toEqual(
    session.sent.map(({ id }) => id).sort(),
  );
  const asked = new Map(session.sent.map(({ id, who }) => [id, who]));
  for (const event of events) expect(agentOf(event)).toBe(asked.get(event.providerResponseId!));
  expect(total.tt).toBe(session.sent.reduce((sum, { tokens }) => sum + tokens, 0));
});

test('prov, chat_report and chat_agents say the same', async () => {
  const paid = session.sent.reduce((sum, { tokens }) => sum + tokens, 0);
  const prov = await runCli(['prov', 'menu.chat'], { cwd: session.folder, environment: {} });
  expect(prov.stdout).toMatch(/^ *root deduplicated_total=\S+ \(60 events\)/m);
  const evidence = await runCli(['prov', '--json', 'menu.chat'], { cwd: session.folder, environment: {} });
  expect(JSON.parse(evidence.stdout)).toMatchObject({ totals: { deduplicated_total: { tt: paid } } });
  const whole = (await report(session, 'chat_report')) as {
    tokens: { deduplicated_total: { tt: number }; direct_events: number; conflicts: number };
  };
  expect(whole.tokens).toMatchObject({ deduplicated_total: { tt: paid }, direct_events: 60, conflicts: 0 });
  const agents = JSON.stringify(await report(session, 'chat_agents'));
  for (const agent of ['Baker', 'Critic', 'Buyer', 'Clerk']) expect(agents).toContain(agent);
});

test('the specialist that failed, the one that was stopped and the one that was advised are told', async () => {
  const outputs = (await readConversation(session.record))
    .filter(({ role }) => role === 'function_call_output')
    .map(({ content }) => JSON.parse(content) as { id: string; error?: string; content: string; meta?: unknown[] });
  const by = Object.fromEntries(outputs.map((output) => [output.id, output]));
  expect(by['cake']).toMatchObject({ error: 'error', content: expect.stringContaining('The oven burns') });
  expect(by['cake']?.meta).toHaveLength(3);
  expect(by['deliver']).toMatchObject({ error: 'aborted', content: expect.stringContaining('The shop is closed.') });
  expect(by['deliver']?.meta).toHaveLength(5);
  expect(by['buy']?.meta).toHaveLength(6);
  const tasting = await readConversation(join(session.society, 'Critic', 'tasting', 'agent.chat'));
  const delivered = tasting.filter(({ role, content }) => role === 'meta' && 'inbox' in parseMeta(content));
  expect(delivered).toHaveLength(1);
  expect(tasting.filter(({ role }) => role === 'user')).toHaveLength(2);
  expect(tasting.some(({ content }) => content.includes('Mind the salt'))).toBe(false);
});

test('no shelf was counted twice', () => {
  expect(Math.max(...Object.values(count(session.counted())))).toBe(1);
});
