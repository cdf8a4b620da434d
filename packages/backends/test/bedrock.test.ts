import { inspect } from 'node:util';
import { ask, backends } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';
import { asking, assistant, call, output, round, system, tide, user } from './wire-helpers.js';

const bedrock = await backends.bedrock();
const request = asking(bedrock);

const keys = {
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE000000',
  AWS_SECRET_ACCESS_KEY: 'secret/of+forty/letters0000000000000000',
};

const overServer = async (script: ScriptedReply[], environment: Record<string, string> = keys, more: object = {}) => {
  const server = await scriptedServer(script);
  const context = testContext(freshFolder(), { environment: { BEDROCK_URL: server.urls.bedrock, ...environment } });
  try {
    const answer = await ask('When?', {
      backend: 'bedrock',
      model: 'anthropic.claude-x:0',
      context,
      maxRetries: 0,
      ...more,
    });
    return { answer, requests: server.requests };
  } finally {
    await server.close();
  }
};

describe('the request', () => {
  test('system apart, results first in one user turn, text beside calls', async () => {
    const { messages, system: told } = (await request([system('Be brief.'), ...round], {}, [tide])) as Record<
      string,
      any
    >;
    expect(told).toEqual([{ text: 'Be brief.' }]);
    expect(
      messages.map(({ role, content }: any) => [role, content.map((block: object) => Object.keys(block)[0])]),
    ).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'toolUse', 'toolUse']],
      ['user', ['toolResult', 'toolResult']],
    ]);
    expect(messages[2].content[0].toolResult).toEqual({ toolUseId: 'call_1', content: [{ text: 'at six' }] });
  });

  test('calls of the chat are declared where no tool is offered any more', async () => {
    const { toolConfig } = await request([user('go'), call('c'), output('c')]);
    expect(toolConfig.tools).toEqual([{ toolSpec: { name: 'tide', inputSchema: { json: { type: 'object' } } } }]);
  });

  test('a failed call says so, a conversation begins with a user turn, a document has text beside it', async () => {
    const { messages } = await request([
      assistant('hi'),
      user('go'),
      call('c'),
      output('c', 'no', { error: 'timeout' }),
    ]);
    expect(messages[0].role).toBe('user');
    expect(messages.at(-1).content[0].toolResult.status).toBe('error');
    const readBytes = async () => new TextEncoder().encode('%PDF-1.4');
    const sent = await request([{ role: 'pdf', content: '/a/Tide_table: 2031.pdf' }], { readBytes });
    expect(sent.messages[0].content).toMatchObject([
      { document: { name: 'Tide-table- 2031 0' } },
      { text: expect.any(String) },
    ]);
  });

  test('parameters in their places', async () => {
    const parameters = {
      max_tokens: 9,
      stop: 'x',
      top_k: 4,
      tool_choice: 'required',
      service_tier: 'priority',
      extra_body: { additionalModelRequestFields: { a: 1 } },
    };
    expect(await request([user('go')], { parameters }, [tide])).toMatchObject({
      inferenceConfig: { maxTokens: 9, stopSequences: ['x'] },
      additionalModelRequestFields: { top_k: 4, a: 1 },
      toolConfig: { toolChoice: { any: {} } },
      serviceTier: { type: 'priority' },
    });
    await expect(
      ask('go', { backend: 'bedrock', model: 'm', seed: 1, context: testContext(freshFolder()) }),
    ).rejects.toThrow('knows no option `seed`');
  });

  test('cache points for the models that know them', async () => {
    const chat = [system('Be brief.'), user('one'), assistant('two'), user('three')];
    const marked = await request(chat, { model: 'anthropic.claude-x', boundaries: [2, 3] });
    expect(JSON.stringify(marked).match(/cachePoint/g)).toHaveLength(3);
    expect(JSON.stringify(await request(chat, { model: 'meta.llama', boundaries: [2, 3] }))).not.toContain(
      'cachePoint',
    );
  });

  test('a format: structured output of the models that have it, else a tool to answer through', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const format = { kind: 'json_schema', name: 'response', schema } as const;
    const own = await request([user('go')], { format, model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' });
    expect(JSON.parse(own.outputConfig.textFormat.structure.jsonSchema.schema)).toEqual(schema);
    const other = await request([user('go')], { format, model: 'meta.llama' });
    expect(other.toolConfig.tools[0].toolSpec.name).toBe('answer_in_format');
    const raw = {
      output: {
        message: { content: [{ toolUse: { toolUseId: 'a', name: 'answer_in_format', input: { ok: true } } }] },
      },
      stopReason: 'tool_use',
    };
    expect(bedrock.fromReply(raw)).toMatchObject({
      messages: [{ content: '{"ok":true}' }],
      calls: [],
      stopReason: 'stop',
    });
  });
});

describe('over the wire', () => {
  test('usage with what the cache gave, the signature of the key pair, the region of an option', async () => {
    const { answer, requests } = await overServer(
      [{ text: 'At six.', usage: { pt: 100, ct: 5, cct: 60, cwt: 30 } }],
      keys,
      { region: 'eu-central-1' },
    );
    expect(answer.tokens).toEqual({ pt: 100, ct: 5, tt: 105, cct: 60, cwt: 30 });
    expect(requests[0]?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE000000\/\d+\/eu-central-1\/bedrock\//,
    );
    expect(requests[0]?.path).toBe('/model/anthropic.claude-x%3A0/converse');
  });

  test('a Bedrock key is sent as it is', async () => {
    const { requests } = await overServer([{ text: 'a' }], { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key-123' });
    expect(requests[0]?.headers['authorization']).toBe('Bearer bedrock-key-123');
  });

  test('reasoning goes back with its signature while the tools run, and only then', async () => {
    const reply = { reasoning: 'Rye.', signature: 'EqQB', calls: [{ name: 'tide', arguments: {} }] };
    const { requests } = await overServer([reply, { text: 'At six.' }], keys, { tools: [tide] });
    expect(JSON.stringify(requests[1]?.body)).toContain('"reasoningText":{"text":"Rye.","signature":"EqQB"}');
  });

  test.each([
    ['ThrottlingException', 429, true],
    ['ValidationException', 400, false],
    ['AccessDeniedException', 403, false],
  ])('%s', async (code, status, retryable) => {
    const failed = overServer([{ status, code, message: 'told' }]);
    await expect(failed).rejects.toMatchObject({ facts: { status, retryable, providerCode: code } });
  });

  test('a failure in the middle of a stream has its status', async () => {
    const events = [{ messageStart: { role: 'assistant' } }, { throttlingException: { message: 'slow down' } }];
    const failed = overServer([{ body: null, events }], keys, { onDelta: () => {} });
    await expect(failed).rejects.toMatchObject({ facts: { status: 429, retryable: true } });
  });

  test('no error holds a part of the credentials', async () => {
    const all = { ...keys, AWS_SESSION_TOKEN: 'session-token-0123456789' };
    const said = `${keys.AWS_SECRET_ACCESS_KEY} ${all.AWS_SESSION_TOKEN}`;
    const error = await overServer([{ status: 400, message: said }], all).catch((failure) => failure);
    expect(error.code).toBe('request_failed');
    const shown = inspect(error, { depth: 12, showHidden: true, maxStringLength: null });
    for (const secret of [keys.AWS_SECRET_ACCESS_KEY, all.AWS_SESSION_TOKEN]) expect(shown).not.toContain(secret);
  });
});

test('an address that a chat gives gets none of the credentials', async () => {
  const server = await scriptedServer([{ text: 'a' }, { text: 'b' }]);
  const context = testContext(freshFolder(), {
    environment: { ...keys, AWS_SESSION_TOKEN: 'session-token-0123456789' },
  });
  const chat = [
    { role: 'option', content: `url ${server.urls.bedrock}` },
    { role: 'user', content: 'go' },
  ];
  await ask(chat, { backend: 'bedrock', model: 'm', context });
  expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/AKIAEXAMPLE|session-token/);
  await ask('go', { backend: 'bedrock', model: 'm', context, url: server.urls.bedrock });
  expect(JSON.stringify(server.requests[1]?.headers)).toMatch(/session-token.*AKIAEXAMPLE/);
  await server.close();
});

describe('what is missing is named', () => {
  const asked = (environment: Record<string, string>, more: object = {}) =>
    ask('go', { backend: 'bedrock', model: 'm', context: testContext(freshFolder(), { environment }), ...more });

  test('a model, credentials, a region', async () => {
    await expect(ask('go', { backend: 'bedrock', context: testContext(freshFolder()) })).rejects.toThrow(
      'BEDROCK_MODEL_ID',
    );
    await expect(asked({ AWS_REGION: 'eu-central-1' })).rejects.toMatchObject({ code: 'missing_key' });
    await expect(asked(keys)).rejects.toMatchObject({ code: 'missing_region' });
  });

  test('a region that would lead elsewhere is refused', async () => {
    await expect(asked(keys, { region: 'evil.example/#' })).rejects.toMatchObject({ code: 'bad_option' });
  });
});
