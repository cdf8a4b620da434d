import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AskEvent, ask } from '@colophon/backends';
import { type ScriptedReply, type ScriptedServer, scriptedServer, type WireName } from '@colophon/backends/testing';
import { type Chat, pairToolCalls, sumTokens, type Tokens } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, metas, readChat, testContext } from './helpers.js';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 1_000 : 40;

const call = fc.record({
  id: fc.option(fc.constantFrom('same', 'other'), { nil: undefined }),
  name: fc.constantFrom('once', 'again', 'nowhere'),
  arguments: fc.oneof(fc.record({ n: fc.nat(9) }), fc.constant('{"n": ')),
});
const text = fc.constantFrom(
  'Well.',
  'user: not a message',
  '```',
  '',
  '   ',
  'a\r\nb',
  '\0',
  'meta: pt=999',
  '\ud800',
);
const usage = fc.record({ pt: fc.integer({ min: 1, max: 500 }), ct: fc.integer({ min: 1, max: 50 }) });
const round = fc.record({
  text,
  usage,
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  reasoning: fc.constantFrom('', 'a = "b"'),
  length: fc.boolean(),
  fault: fc.option(fc.constantFrom('cut' as const, 'malformed' as const, 500 as const), { nil: undefined, freq: 6 }),
});

/** A session: what the model says, and how each run of it is stopped behind which of its events. */
const session = fc.record({
  rounds: fc.array(round, { maxLength: 6 }),
  last: usage,
  stops: fc.array(fc.record({ kind: fc.constantFrom('abort', 'kill'), behind: fc.nat(25) }), { maxLength: 4 }),
  streamed: fc.boolean(),
});

type Session = typeof session extends fc.Arbitrary<infer Value> ? Value : never;

type Sent = { usage: Tokens; run: number };

/** The server's side: rounds in turn; one that goes wrong is said again without its fault. */
const model = ({ rounds, last }: Session, sent: Sent[], run: () => number) => {
  const left = rounds.flatMap(({ fault, ...rest }) => [...(fault === undefined ? [] : [{ ...rest, fault }]), rest]);
  let number = 0;
  return (): ScriptedReply => {
    const next: ((typeof left)[number] & { fault?: 'cut' | 'malformed' | 500 }) | undefined = left.shift();
    if (next?.fault === 500) return { status: 500 };
    if (next?.fault) return { text: 'never to be seen', fault: next.fault };
    const { pt, ct } = next?.usage ?? last;
    // Each reply is known by its count.
    const counted = { pt: pt + 1000 * ++number, ct };
    sent.push({ usage: { ...counted, tt: counted.pt + ct }, run: run() });
    if (!next) return { text: 'The end.', usage: counted };
    const { text: said, calls, reasoning, length } = next;
    return {
      text: said,
      calls: calls as never,
      reasoning,
      usage: counted,
      ...(length ? { stopReason: 'length' } : {}),
    };
  };
};

describe.each(['openai', 'responses', 'anthropic', 'ollama'] as const)('%s', (backend: WireName) => {
  let reply: () => ScriptedReply = () => ({ text: '' });
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await scriptedServer(() => reply());
  });
  afterAll(() => server.close());

  const play = async (given: Session) => {
    const folder = freshFolder();
    const sent: Sent[] = [];
    const ran: string[] = [];
    let number = 0;
    let file = join(folder, '0.chat');
    reply = model(given, sent, () => number);
    const tool = (name: string, idempotent: boolean): Tool => ({
      name,
      description: name,
      parameters: { type: 'object' },
      idempotent,
      run: async () => {
        ran.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        return 'done';
      },
    });
    const options = {
      backend,
      url: server.urls[backend],
      model: 'm',
      maxRetries: 0,
      tools: [tool('once', false), tool('again', true)],
      ...(given.streamed ? {} : { stream: false }),
    };
    const input = () => ({ file, ...(existsSync(file) && readChat(file).length > 0 ? {} : { question: 'go' }) });
    const tries = async (more: object) => {
      for (let tried = 0; ; tried++) {
        const context = testContext(folder, { randomId: () => `id-${number}-${Math.random()}` });
        const answer = await ask(input(), { ...options, ...more, context }).catch((error) => error as Error);
        if (!(answer instanceof Error)) return answer;
        // A request that went wrong, and not since it was refused.
        expect(answer).toMatchObject({ code: 'request_failed' });
        expect(answer.message).not.toContain('400');
        if (tried > 12) throw answer;
      }
    };
    for (const { kind, behind } of given.stops) {
      const control = new AbortController();
      const next = join(folder, `${number + 1}.chat`);
      let seen = 0;
      let known = sent.length;
      const onEvent = (_event: AskEvent) => {
        if (seen++ !== behind) return;
        if (kind === 'abort') return control.abort();
        // What a process that is killed at this moment leaves behind: whoever comes next finds nothing else.
        known = sent.length;
        if (existsSync(file)) copyFileSync(file, next);
        control.abort();
      };
      await tries({ onEvent, signal: control.signal });
      if (kind === 'kill' && seen > behind) {
        sent.length = known;
        file = next;
      }
      number++;
    }
    const answer = await tries({});
    return { answer, chat: readChat(file), sent };
  };

  const accounts = (chat: Chat, sent: Sent[]) => {
    const recorded = metas(chat).map(({ pt, ct, tt }) => ({ pt, ct, tt }) as Tokens);
    const missing: Sent[] = [];
    let next = 0;
    for (const one of sent) {
      const { pt, ct } = recorded[next] ?? {};
      if (pt === one.usage.pt && ct === one.usage.ct) next++;
      else missing.push(one);
    }
    return { recorded, missing, unknown: recorded.length - next };
  };

  test('what the server counted is what the metas add up to, but for a reply in flight when the run was stopped', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (given) => {
        const { answer, chat, sent } = await play(given);
        expect(answer.text).toBe('The end.');
        const { recorded, missing, unknown } = accounts(chat, sent);
        expect(unknown, 'recorded and never sent').toBe(0);
        for (const { run } of missing) expect(run).toBeLessThan(given.stops.length);
        expect(missing.length).toBeLessThanOrEqual(given.stops.length);
        const paid = sumTokens(sent.filter((one) => !missing.includes(one)).map((one) => one.usage));
        expect(sumTokens(recorded)).toEqual(paid);
        expect(metas(chat).at(-1)).toMatchObject({ pt_c: paid.pt, ct_c: paid.ct, tt_c: paid.tt });
        const ids = metas(chat).map((meta) => meta['inference_id']);
        expect(new Set(ids).size).toBe(ids.length);
        expect(pairToolCalls(chat).filter(({ outputAddress }) => outputAddress === null)).toEqual([]);
        expect(chat.filter(({ role }) => role === 'user')).toHaveLength(1);
      }),
      { numRuns: runs },
    );
  }, 600_000);
});
