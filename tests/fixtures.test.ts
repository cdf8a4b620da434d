import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContextOptions, compileChat, takeOptions, toWorkflows } from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import {
  type Chat,
  ColophonError,
  messageIndex,
  pairToolCalls,
  parseChat,
  printChat,
  receiptEvidence,
  sumTokens,
  takeMeta,
  toolCallStatus,
  traceSegments,
} from '@colophon/chat-format';
import { appendMessages, loadChat, save } from '@colophon/chat-format/node';
import { nodeContext as jobContext } from '@colophon/workflow/node';
import { describe, expect, test } from 'vitest';
import { sessions } from '../fixtures/make-sessions.js';

// `UPDATE=1 npx vitest run tests/fixtures.test.ts` writes what the packages give now; read the difference before it is kept.
const update = process.env['UPDATE'] === '1';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

const casesOf = (kind: string): { name: string; folder: string }[] =>
  readdirSync(join(fixtures, kind)).map((name) => ({ name, folder: join(fixtures, kind, name) }));

/** Compares with the case's `expected.json`; a case without one fails. */
const expectCase = (folder: string, actual: unknown): void => {
  const file = join(folder, 'expected.json');
  const plain: unknown = JSON.parse(JSON.stringify(actual));
  if (update) writeFileSync(file, `${JSON.stringify(plain, null, 2)}\n`);
  if (!existsSync(file)) throw new Error(`${file} is missing. Write it with UPDATE=1, and read it before you keep it.`);
  expect(plain).toEqual(JSON.parse(readFileSync(file, 'utf8')));
};

const textOf = (folder: string): string => readFileSync(join(folder, 'input.chat'), 'utf8');
const plain = (chat: Chat) => chat.map(({ role, content }) => ({ role, content }));

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Messages that would become others where a file does not take them as they are. */
const nasty: Chat = [
  { role: 'assistant', content: '\n```\nuser: inside\n<plan>\n[[\nsh:-- ls {{{\n' },
  { role: 'function_call_output', content: '{"id":"c","content":"x"}' },
  { role: 'user', content: ']]\n</plan>\n```\nsh:-- }}}\nsystem: free\n\\&\n' },
  { role: 'user', content: '' },
];

const formats = [...casesOf('format'), ...casesOf('sessions')];

test('there are cases of every kind', () => {
  expect(casesOf('format').length).toBeGreaterThan(50);
  expect(casesOf('evidence').length).toBeGreaterThan(5);
  expect(casesOf('compile').length).toBeGreaterThan(10);
  expect(casesOf('sessions').length).toBeGreaterThan(1);
});

describe('a chat file reads as the messages that it holds', () => {
  test.each(casesOf('format'))('$name', ({ folder }) => expectCase(folder, parseChat(textOf(folder))));
});

describe('what was read is printed and read again without loss', () => {
  test.each(formats)('$name', ({ folder }) => {
    const chat = parseChat(textOf(folder));
    const printed = printChat(chat);
    expect(parseChat(printed)).toEqual(chat);
    expect(printChat(parseChat(printed))).toBe(printed);
  });
});

describe('a chat is saved and loaded, and takes messages at its end, whatever it ends with', () => {
  test.each(formats)('$name', async ({ folder }) => {
    await inFolder(async (temporary) => {
      const chat = parseChat(textOf(folder));
      const path = join(temporary, 'main.chat');
      await copyFile(join(folder, 'input.chat'), path);
      for (const [index, message] of nasty.entries()) {
        await appendMessages(path, [message]);
        expect(plain(await loadChat(path))).toEqual([...chat, ...nasty.slice(0, index + 1)]);
      }
      const other = join(temporary, 'other.chat');
      await save(chat, other);
      await appendMessages(other, nasty);
      expect(plain(await loadChat(other))).toEqual([...chat, ...nasty]);
    });
  });
});

/** Everything that the messages of a chat tell about inferences and calls. */
const evidenceOf = (chat: Chat) => ({
  meta: takeMeta(chat).meta ?? null,
  calls: pairToolCalls(chat).map((pair) => ({
    name: pair.name,
    callId: pair.callId,
    addresses: [pair.callAddress, pair.outputAddress],
    status: toolCallStatus(pair),
  })),
  receipts: receiptEvidence(chat),
  segments: traceSegments([{ chat }]).map(({ id: _, ...segment }) => segment),
  totals: sumTokens(traceSegments([{ chat }]).map(({ meta }) => meta)),
  lastId: messageIndex(chat).at(-1)?.id ?? null,
});

describe('the evidence inside messages', () => {
  test.each(casesOf('evidence'))('$name', ({ folder }) => expectCase(folder, evidenceOf(parseChat(textOf(folder)))));
});

const count = (values: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

describe('long sessions', () => {
  test.each(casesOf('sessions'))('$name', ({ folder }) => {
    const chat = parseChat(textOf(folder));
    const { calls, receipts, segments, totals, lastId, meta } = evidenceOf(chat);
    expect(calls.length).toBeGreaterThan(200);
    expectCase(folder, {
      roles: count(chat.map(({ role }) => role)),
      tools: count(calls.map(({ name }) => name)),
      statuses: count(calls.map(({ status }) => `${status.success} ${status.reason}`)),
      receipts: receipts.records.length,
      warnings: receipts.warnings.map(({ code, address }) => [code, address]),
      segments: segments.length,
      orphans: segments.filter(({ orphan }) => orphan).length,
      totals,
      meta,
      lastId,
    });
  });

  test.each(Object.entries(sessions))('%s is what its script makes', (name, make) => {
    const text = `${printChat(make())}\n`;
    const file = join(fixtures, 'sessions', name, 'input.chat');
    if (update) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8') === text).toBe(true);
  });
});

/** What a case of jobs says of its context. */
type CaseContext = Pick<ContextOptions, 'policy' | 'inlineExceptions'>;

const hasJobs = (folder: string): boolean => ['workflows', 'var'].some((name) => existsSync(join(folder, name)));

/** A case's folder with its workflows and jobs in a place of its own, since jobs are written there. */
const withJobs = async (folder: string, use: (copy: string, options: Partial<ContextOptions>) => Promise<void>) =>
  inFolder(async (temporary) => {
    const copy = realpathSync(temporary);
    await cp(folder, copy, { recursive: true });
    for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.info')) continue;
      const file = join(copy, name);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('{{ROOT}}', copy));
    }
    const told = join(copy, 'context.json');
    const options: CaseContext = existsSync(told) ? JSON.parse(readFileSync(told, 'utf8')) : {};
    const workflows = toWorkflows(jobContext({ roots: [copy], environment: { PATH: process.env['PATH'] } }));
    await use(copy, { workflows, ...options });
  });

/** The compiled chat with its options, or the error, with the case's folder written as `{{ROOT}}`. */
const compiled = async (folder: string, options: Partial<ContextOptions> = {}) => {
  const context = nodeContext({ workingDirectory: folder, roots: [folder], ...options });
  const hide = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(folder, '{{ROOT}}'));
  try {
    const { options: taken, chat } = await takeOptions(await compileChat({ file: 'main.chat' }, context), context);
    return hide({ messages: plain(chat), options: taken, config: context.config, grants: context.grants });
  } catch (error) {
    if (!(error instanceof ColophonError)) throw error;
    return hide({ error: { code: error.code, message: error.message } });
  }
};

describe('a folder of chats and files compiles to what is asked', () => {
  test.each(casesOf('compile'))('$name', async ({ folder }) => {
    if (!hasJobs(folder)) return expectCase(folder, await compiled(folder));
    await withJobs(folder, async (copy, options) => {
      const result = await compiled(copy, options);
      expectCase(folder, result);
      // A second time nothing has to run, and the same comes of it.
      if (!('error' in (result as object))) expect(await compiled(copy, options)).toEqual(result);
    });
  });
});
