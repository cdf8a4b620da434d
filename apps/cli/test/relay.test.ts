import { spawn } from 'node:child_process';
import { ask } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import { scriptedServer } from '@colophon/backends/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { builtCli, runCli } from './built-cli.js';
import { folder } from './folder.js';

// Each run is a process of its own: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 120_000 });

const token = 'relay-token-0123456789';

it('asks with the key of this machine for who has the token, until it is interrupted', async () => {
  const provider = await scriptedServer([{ text: 'At six.', usage: { pt: 4, ct: 2 } }]);
  onTestFinished(() => provider.close());
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder().path,
    OPENAI_API_KEY: 'sk-of-the-relay',
    OPENAI_BASE_URL: provider.urls.responses,
    COLOPHON_RELAY_TOKEN: token,
  };
  const relay = spawn(process.execPath, [builtCli(), 'relay', '--http', '0'], { env: environment, cwd: folder().path });
  onTestFinished(() => void relay.kill('SIGKILL'));
  let said = '';
  relay.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve) => relay.on('exit', resolve));
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/relaying at http:\/\/127\.0\.0\.1:\d+\n/);
  const url = /relaying at (\S+)/.exec(said)?.[1] ?? '';
  const context = nodeContext({ environment: { COLOPHON_RELAY_URL: url, COLOPHON_RELAY_TOKEN: token } });
  const { text } = await ask('When is high water?', { backend: 'relay', context });
  expect(text).toBe('At six.');
  expect(provider.requests[0]?.headers['authorization']).toBe('Bearer sk-of-the-relay');
  await expect.poll(() => said).toMatch(/responses answered \d+ ms\n/);
  relay.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said).not.toMatch(/relay-token|sk-of-the-relay|high water/);
});

it.each([
  [[], 'COLOPHON_RELAY_TOKEN'],
  [['--http', 'here'], 'HOST:PORT'],
  [['--timeout', '0'], 'above 0'],
])('tells what is wrong with %j', async (words, line) => {
  const environment = words.length === 0 ? {} : { COLOPHON_RELAY_TOKEN: token };
  const { code, stdout, stderr } = await runCli(['relay', ...words], { environment });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(line);
});

it.each([
  ['google', '@google/genai', { GEMINI_API_KEY: 'k' }],
  ['bedrock', '@aws-sdk/client-bedrock-runtime', { AWS_BEARER_TOKEN_BEDROCK: 'k', AWS_REGION: 'eu-central-1' }],
])('names the package that %s needs where it is not installed', async (backend, name, environment) => {
  const { code, stdout, stderr } = await runCli(['ask', '-b', backend, '-m', 'm', 'hi'], { environment });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`npm install ${name}`);
});
