import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Script, type ScriptedReply, scriptedServer, type WireName } from '@colophon/backends/testing';
import { parseOutput } from '@colophon/chat-format';
import { loadChat } from '@colophon/chat-format/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCli, type CliRun, runCli } from '../../apps/cli/test/built-cli.js';

const wires: WireName[] = ['responses', 'openai', 'anthropic', 'ollama'];
const key = 'sk-canary-1234567890';
const tools = fileURLToPath(new URL('step-tool.mjs', import.meta.url));
const answer: ScriptedReply = { text: 'High water is at six.' };
const long = 'High water is at six, and low water a little after noon. '.repeat(20);

let folder: string;
beforeAll(async () => {
  builtCli();
  folder = await mkdtemp(join(tmpdir(), 'provider-'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** Asks in a chat file against a server that answers by the script. */
const asking = async (wire: WireName, file: string, script: Script, words: string[] = []) => {
  const server = await scriptedServer(script);
  const name = wire === 'anthropic' ? 'ANTHROPIC' : 'OPENAI';
  const environment: Record<string, string> =
    wire === 'ollama'
      ? { OLLAMA_HOST: server.urls.ollama, OLLAMA_API_KEY: key }
      : { [`${name}_API_KEY`]: key, [`${name}_BASE_URL`]: server.urls[wire] };
  const ran = await runCli(['ask', '-b', wire, '-m', 'scripted', '--tool', tools, '-c', file, ...words], {
    cwd: folder,
    environment: { ...environment, STEP_LOG: `${file}.steps` },
  });
  const { requests } = server;
  await server.close();
  return { ...ran, requests: requests.length };
};

const clear = ({ code, stderr }: CliRun): void => {
  expect(code, stderr).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toContain(key);
  expect(stderr).not.toContain('1234567890');
};

const stored = async (file: string) => (await loadChat(file)).map(({ role, content }) => [role, content]);

type Failure = { what: string; script: Script; says: RegExp; requests: number };
const repeated = (reply: ScriptedReply): ScriptedReply[] => [reply, reply, reply, reply, reply, reply];
const failures: Failure[] = [
  { what: '401', script: repeated({ status: 401, message: 'Incorrect key' }), says: /401|key/, requests: 1 },
  { what: '500 for ever', script: repeated({ status: 500 }), says: /500/, requests: 3 },
  {
    what: 'a stream cut in the middle',
    script: repeated({ text: long, fault: 'cut' }),
    says: /broke off|closed|ended|cut/,
    requests: 1,
  },
  {
    what: 'a connection reset in the middle',
    script: repeated({ text: long, fault: 'reset' }),
    says: /broke off|closed|reset|terminated|connection/i,
    requests: 1,
  },
  {
    what: 'a malformed stream',
    script: repeated({ text: long, fault: 'malformed' }),
    says: /JSON|malformed/i,
    requests: 1,
  },
];

describe.each(wires)('%s', (wire) => {
  test.each(failures)(
    '$what: one clear line, a valid file, and a second try finishes',
    async ({ what, script, says, requests }) => {
      const file = join(folder, `${wire}-${what.replaceAll(' ', '-')}.chat`);
      const failed = await asking(wire, file, script, ['When', 'is', 'high', 'tide?']);
      clear(failed);
      expect(failed.stderr).toMatch(says);
      expect(failed.requests).toBeGreaterThanOrEqual(1);
      expect(failed.requests).toBeLessThanOrEqual(Math.max(requests, 1) + 2);
      expect(await stored(file)).toEqual([['user', 'When is high tide?']]);

      const again = await asking(wire, file, [answer]);
      expect(again, again.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('High water is at six.') });
      expect((await stored(file)).filter(([role]) => role !== 'previous_response_id').at(-1)).toEqual([
        'assistant',
        'High water is at six.',
      ]);
    },
  );

  test('429 with retry-after: waits and asks again', async () => {
    const file = join(folder, `${wire}-429.chat`);
    const busy: ScriptedReply = { status: 429, headers: { 'retry-after': '1' } };
    const begun = Date.now();
    const ran = await asking(wire, file, [busy, answer], ['When?']);
    expect(ran, ran.stderr).toMatchObject({ code: 0, requests: 2 });
    expect(Date.now() - begun).toBeGreaterThan(900);
  });

  test('malformed arguments and an unknown tool: the model is told, and goes on', async () => {
    const file = join(folder, `${wire}-arguments.chat`);
    const calls = [
      { id: 'call_a', name: 'step', arguments: wire === 'ollama' ? { number: 'one' } : '{"number": ' },
      { id: 'call_b', name: 'leap', arguments: {} },
      { id: 'call_c', name: 'step', arguments: { number: 1 } },
    ];
    const ran = await asking(wire, file, [{ calls }, answer], ['Work.']);
    expect(ran, ran.stderr).toMatchObject({ code: 0, requests: 2 });
    const outputs = (await loadChat(file))
      .filter(({ role }) => role === 'function_call_output')
      .map(({ content }) => parseOutput(content));
    expect(outputs.map((output) => output?.error).sort()).toEqual(['invalid_arguments', 'not_found', undefined]);
  });
});

test('nothing is left beside the chats', async () => {
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
});
