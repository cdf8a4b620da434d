import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConversation } from '@colophon/backends';
import { pairToolCalls, parseMeta } from '@colophon/chat-format';
import { beforeAll, expect, test } from 'vitest';
import { builtCli } from '../../../apps/cli/test/built-cli.js';
import { times } from '../scale.js';
import { type MenuSession, readEvidence, startMenu } from './menu-session.js';

// Three specialists at work, one of which has asked a fourth: so many replies may be on their way.
const inFlight = 4;

beforeAll(() => {
  builtCli();
}, 300_000);

const chatsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.chat') && !name.includes('start_chat'))
    .map((name) => join(folder, name));

/** Runs a session to its end, and kills it so often on the way. Returns how often it was killed. */
const run = async ({ ask, record }: MenuSession, kills: number): Promise<number> => {
  let killed = 0;
  for (;;) {
    const words = existsSync(record) ? [] : ['What is on the menu?'];
    const wanted = killed < kills ? 300 + Math.random() * 1500 : undefined;
    const { signal, code, stdout, stderr } = await ask(words, wanted);
    if (signal === 'SIGKILL') {
      killed++;
      continue;
    }
    expect({ code, stdout: stdout.trim() }, stderr).toEqual({ code: 0, stdout: 'The menu is done.' });
    return killed;
  }
};

const check = async (session: MenuSession, killed: number): Promise<void> => {
  const { events, warnings, total } = await readEvidence(session);
  expect(warnings).toEqual([]);
  const stored = events.map(({ providerResponseId }) => providerResponseId);
  expect(new Set(stored).size).toBe(stored.length);
  const missing = session.sent.filter(({ id }) => !stored.includes(id));
  expect(missing.length).toBeLessThanOrEqual(killed * inFlight);
  const kept = session.sent.filter(({ id }) => stored.includes(id));
  expect(kept).toHaveLength(stored.length);
  expect(total.tt).toBe(kept.reduce((sum, { tokens }) => sum + tokens, 0));

  const delivered: string[] = [];
  for (const file of chatsBelow(session.folder)) {
    const chat = await readConversation(file);
    expect(pairToolCalls(chat).filter(({ outputAddress }) => outputAddress === null)).toEqual([]);
    if (file.endsWith('agent.chat'))
      for (const { role, content } of chat)
        if (role === 'meta')
          delivered.push(
            ...String(parseMeta(content)['inbox'] ?? '')
              .split(' ')
              .filter(Boolean),
          );
  }
  expect(new Set(delivered).size).toBe(delivered.length);

  // A job that was killed in its work is run again; one that was done is not.
  const counted = session.counted();
  expect(counted.length - new Set(counted).size).toBeLessThanOrEqual(killed * inFlight);
};

test('a session that is killed at any moment loses what was on its way, and ends as if nothing had been', async () => {
  let left = times(100);
  while (left > 0) {
    const parent = mkdtempSync(join(tmpdir(), 'menu-kill-'));
    const session = await startMenu(parent);
    try {
      const killed = await run(session, Math.min(left, 5));
      await check(session, killed);
      left -= Math.max(killed, 1);
    } finally {
      await session.server.close();
      rmSync(parent, { recursive: true, force: true });
    }
  }
});
