import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  ask,
  type Credentials,
  checkEndpoint,
  listEndpoints,
  readEndpoint,
  type WireBackend,
} from '@colophon/backends';
import { scriptedServer } from '@colophon/backends/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';

const setUp = () => {
  const folder = freshFolder();
  const home = join(folder, 'home');
  const cloned = join(folder, 'cloned');
  for (const root of [join(home, '.colophon'), cloned]) mkdirSync(join(root, 'etc', 'AI'), { recursive: true });
  const write = (root: string, name: string, text: string) =>
    writeFileSync(join(root, 'etc', 'AI', `${name}.yaml`), text);
  return {
    own: (name: string, text: string) => write(join(home, '.colophon'), name, text),
    cloned: (name: string, text: string) => write(cloned, name, text),
    context: (environment = {}) => testContext(cloned, { home, environment }),
    folder: cloned,
  };
};

const probe = () => {
  const seen: Credentials[] = [];
  const backend: WireBackend = {
    name: 'probe',
    defaultModel: 'm',
    capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true, cacheBreakpoints: false },
    toRequest: () => ({}),
    client: (credentials) => {
      seen.push(credentials);
    },
    send: async () => ({}),
    fromReply: () => ({ messages: [{ role: 'assistant', content: 'fine' }], calls: [] }),
  };
  return { options: { backend: 'probe', backends: { probe: backend } }, seen };
};

test('a root that can not be looked into holds no endpoint', async () => {
  const { own, context, folder } = setUp();
  own('a', 'model: m');
  const { roots, files } = context();
  const stat = (path: string) => (path.startsWith(folder) ? Promise.reject(new Error('EACCES')) : files.stat(path));
  expect(await readEndpoint('a', { roots, files: { ...files, stat } })).toMatchObject({ options: { model: 'm' } });
});

describe('keys and addresses', () => {
  test('of the user’s own root count', async () => {
    const { own, context } = setUp();
    own('a', 'key: sk-own\nurl: https://api.example.org/v1\nheaders: {X-Team: red}');
    own('b', 'key_env: MY_KEY');
    own('c', "key_command: printf 'from command\\n'");
    const { options, seen } = probe();
    const machine = context({ MY_KEY: 'sk-environment', PROBE_API_KEY: 'sk-usual' });
    for (const endpoint of ['a', 'b', 'c']) await ask('go', { ...options, endpoint, context: machine });
    await ask('go', { ...options, context: machine });
    expect(seen).toEqual([
      { key: 'sk-own', url: 'https://api.example.org/v1', headers: { 'X-Team': 'red' } },
      { key: 'sk-environment' },
      { key: 'from command' },
      { key: 'sk-usual' },
    ]);
  });

  test('of a folder that may have been cloned do not, and a warning says so', async () => {
    const { cloned, context } = setUp();
    cloned('a', 'key: sk-theirs\nurl: https://evil.example.org/v1\nheaders: {X-Evil: yes}\ntemperature: 0.5');
    cloned('b', 'key_command: touch /tmp/never\nkey_env: HOME_KEY');
    const { options, seen } = probe();
    const machine = context({ PROBE_API_KEY: 'sk-usual', HOME_KEY: 'sk-home' });
    const answer = await ask('go', { ...options, endpoint: 'a', context: machine });
    expect(answer.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^`url` in .*etc\/AI\/a\.yaml is ignored: it counts only in a call or below your own root/),
      expect.stringMatching(/^`key` in /),
      expect.stringMatching(/^`headers` in /),
    ]);
    expect((await ask('go', { ...options, endpoint: 'b', context: machine })).warnings).toHaveLength(2);
    expect(seen).toEqual([{ key: 'sk-usual' }, { key: 'sk-usual' }]);
  });

  test('an address on this machine counts from anywhere, but gets no key of the user', async () => {
    const { cloned, own, context } = setUp();
    const { options, seen } = probe();
    const machine = context({ PROBE_API_KEY: 'sk-usual' });
    const local = ['http://localhost:8080/v1', 'http://127.0.0.1:11434', 'http://[::1]:1', 'localhost:11434'];
    for (const [index, url] of local.entries()) {
      cloned(`l${index}`, `url: '${url}'`);
      await ask('go', { ...options, endpoint: `l${index}`, context: machine });
    }
    expect(seen).toEqual(local.map((url) => ({ url })));
    const elsewhere = [
      'http://localhost@evil.example',
      'http://127.0.0.1.evil.example',
      'http://evil.example/localhost',
      'http://0.0.0.0:1',
      'nonsense::',
    ];
    for (const [index, url] of elsewhere.entries()) {
      cloned(`e${index}`, `url: '${url}'`);
      const { warnings } = await ask('go', { ...options, endpoint: `e${index}`, context: machine });
      expect(warnings, url).toHaveLength(1);
    }
    own('mine', 'url: http://localhost:8080/v1\nkey: sk-local');
    await ask('go', { ...options, endpoint: 'mine', context: machine });
    expect(seen.at(-1)).toEqual({ url: 'http://localhost:8080/v1', key: 'sk-local' });
  });

  test('a chat can set neither', async () => {
    const { context } = setUp();
    const { options, seen } = probe();
    const chat = ['url https://evil.example', 'key sk-chat', 'key_command "touch x"'].map((content) => ({
      role: 'option',
      content,
    }));
    const { warnings } = await ask([...chat, 'go'], { ...options, context: context({ PROBE_KEY: 'sk-usual' }) });
    expect(warnings.map(({ message }) => message.split(' ')[0])).toEqual(['`url`', '`key`', '`key_command`']);
    expect(seen).toEqual([{ key: 'sk-usual' }]);
  });

  test('an endpoint of the user with the same name as a cloned one is hidden, never mixed', async () => {
    const { cloned, own, context } = setUp();
    cloned('work', 'temperature: 1');
    own('work', 'key: sk-own\nurl: https://api.example.org');
    const { options, seen } = probe();
    await ask('go', { ...options, endpoint: 'work', context: context() });
    expect(seen).toEqual([{}]);
  });

  test('a key that can not be had is told without what was printed', async () => {
    const { own, context } = setUp();
    own('unset', 'key_env: NOT_SET');
    own('fails', 'key_command: echo sk-half-printed; exit 3');
    own('silent', 'key_command: "true"');
    const { options } = probe();
    const failure = (endpoint: string) => ask('go', { ...options, endpoint, context: context() });
    await expect(failure('unset')).rejects.toThrow(
      'received "NOT_SET", expected the name of an environment variable that is set',
    );
    await expect(failure('fails')).rejects.toThrow(/key_command failed \(3\)\. It must print the key/);
    await expect(failure('fails')).rejects.not.toThrow(/half-printed/);
    await expect(failure('silent')).rejects.toThrow('printed nothing');
  });
});

describe('names', () => {
  test('an unknown one lists the known ones and where was looked', async () => {
    const { own, cloned, context, folder } = setUp();
    own('work', 'model: a');
    cloned('here', 'model: b');
    const failure = ask('go', { ...probe().options, endpoint: 'wrok', context: context() });
    await expect(failure).rejects.toThrow(
      `There is no endpoint \`wrok\`. Known: \`here\`, \`work\`. Looked for etc/AI/wrok.yaml below ${folder}`,
    );
    for (const name of ['../AI/work', 'work.yaml', 'etc/AI/work']) {
      await expect(ask('go', { ...probe().options, endpoint: name, context: context() })).rejects.toMatchObject({
        code: 'unknown_endpoint',
      });
    }
  });

  test('a file that is no YAML is told without its text, which may hold a key', async () => {
    const { own, context } = setUp();
    own('bad', 'key: "sk-canary-1234\nmodel: [x');
    own('list', '- a');
    own('empty', '');
    const failure = readEndpoint('bad', context());
    await expect(failure).rejects.toMatchObject({
      code: 'bad_endpoint',
      message: expect.stringContaining('bad.yaml: no valid YAML (line'),
    });
    await expect(failure).rejects.not.toThrow(/canary/);
    await expect(readEndpoint('list', context())).rejects.toThrow('holds no options');
    expect((await readEndpoint('empty', context())).options).toEqual({});
  });
});

describe('the list', () => {
  test('tells name, file, backend, model, address and where the key comes from, never the key', async () => {
    const { own, cloned, context, folder } = setUp();
    own('a', 'backend: openai\nmodel: m1\nkey: sk-canary\nurl: https://me:sk-canary@api.example.org');
    own('b', 'key_env: SET');
    own('c', 'key_env: UNSET\nheaders: {A: sk-canary}');
    own('d', 'key_command: echo sk-canary');
    own('e', 'key: "sk-canary');
    cloned('a', 'key: sk-canary\nmodel: m2');
    const list = await listEndpoints(context({ SET: 'sk-canary' }));
    expect(JSON.stringify(list)).not.toContain('sk-canary');
    expect(list).toMatchObject([
      { name: 'a', file: join(folder, 'etc/AI/a.yaml'), trusted: false, model: 'm2', ignored: ['key'] },
      { name: 'b', trusted: true, keySource: 'environment variable SET', ignored: [] },
      { name: 'c', keySource: 'environment variable UNSET (not set)' },
      { name: 'd', keySource: 'printed by a command' },
      { name: 'e', problem: expect.stringContaining('no valid YAML') },
    ]);
    own('z', 'url: https://me:sk-canary@api.example.org');
    expect((await listEndpoints(context())).find(({ name }) => name === 'z')?.url).toBe(
      'https://[hidden]@api.example.org',
    );
  });

  test('is empty without roots, and passes over other files', async () => {
    const { own, context, folder } = setUp();
    writeFileSync(join(folder, 'etc/AI/notes.txt'), 'x');
    writeFileSync(join(folder, 'etc/AI/.hidden.yaml'), 'x');
    own('a', 'model: x');
    expect((await listEndpoints(context())).map(({ name }) => name)).toEqual(['a']);
    expect(await listEndpoints(testContext(freshFolder(), { roots: [] }))).toEqual([]);
  });
});

describe('whether it answers', () => {
  let status = 200;
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  let url = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('by the list of models, with the key', async () => {
    const { own, context } = setUp();
    own('a', `backend: openai\nurl: ${url}/v1\nkey: sk-canary-1`);
    status = 200;
    expect(await checkEndpoint('a', context())).toEqual({
      answers: true,
      status: 200,
      keyAccepted: true,
      url: `${url}/v1/models`,
      detail: 'answers (200)',
    });
    expect(requests.at(-1)).toEqual({ url: '/v1/models', authorization: 'Bearer sk-canary-1' });
    status = 401;
    expect(await checkEndpoint('a', context())).toMatchObject({
      answers: true,
      keyAccepted: false,
      detail: 'answers, but refuses the key (401)',
    });
  });

  test('of another backend, by anything at its address', async () => {
    const { own, context } = setUp();
    status = 404;
    own('o', `backend: ollama\nurl: ${url}`);
    expect(await checkEndpoint('o', context())).toMatchObject({ answers: true, status: 404, url: `${url}/api/tags` });
  });

  test('when nobody listens', async () => {
    const { own, context } = setUp();
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    own('a', `backend: openai\nurl: http://127.0.0.1:${port}/v1\nkey: sk-canary-1`);
    const check = await checkEndpoint('a', context());
    expect(check).toMatchObject({ answers: false, detail: 'does not answer: ECONNREFUSED' });
    expect(JSON.stringify(check)).not.toContain('canary');
  });
});

describe('an address with a user and a password', () => {
  test('is asked with them as a header, and without them in the address', async () => {
    const { own, context } = setUp();
    own('a', 'url: https://me:p%40ss@api.example.org/v1?version=2\nkey: sk-own');
    own('b', 'url: https://me:pass@api.example.org\nheaders: {authorization: Bearer mine}');
    own('c', 'url: me@localhost:8080');
    own('d', 'url: https://api.example.org/@scope');
    const { options, seen } = probe();
    for (const endpoint of ['a', 'b', 'c', 'd']) await ask('go', { ...options, endpoint, context: context() });
    await ask('go', {
      ...options,
      context: context({ PROBE_URL: ' https://me:pass@host/ ', PROBE_KEY: ' sk-usual\n' }),
    });
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    expect(seen).toEqual([
      { key: 'sk-own', url: 'https://api.example.org/v1?version=2', headers: basic('me:p@ss') },
      { url: 'https://api.example.org', headers: { authorization: 'Bearer mine' } },
      { url: 'localhost:8080', headers: basic('me:') },
      { url: 'https://api.example.org/@scope' },
      { key: 'sk-usual', url: 'https://host/', headers: basic('me:pass') },
    ]);
  });

  test('reaches the server, as does a query, by each kind of provider', async () => {
    for (const backend of ['openai', 'responses', 'anthropic', 'ollama'] as const) {
      const server = await scriptedServer([{ text: 'hi' }]);
      const url = server.urls[backend].replace('//', '//me:pass@');
      const query = backend === 'ollama' ? '' : '?version=2';
      const answer = await ask('go', { backend, model: 'm', url: `${url}${query}`, maxRetries: 0 });
      expect(answer.text).toBe('hi');
      expect(server.requests[0]?.headers['authorization']).toBe('Basic bWU6cGFzcw==');
      await server.close();
    }
  });

  test('that can not be told apart is refused', async () => {
    const { own, context } = setUp();
    own('a', 'url: https://me:p@ss/word@api.example.org');
    const failure = ask('go', { ...probe().options, endpoint: 'a', context: context() });
    await expect(failure).rejects.toThrow(/a text that is not shown here, expected .* are written %40/);
  });
});

test('an address without http or https is told before anything is sent', async () => {
  for (const backend of ['openai', 'responses', 'anthropic'])
    await expect(ask('go', { backend, model: 'm', url: 'localhost:1/v1' })).rejects.toMatchObject({
      code: 'bad_option',
      message: expect.stringContaining('an address that begins with http:// or https://'),
    });
});

describe('a file that was made to do harm', () => {
  const bomb = Array.from({ length: 12 }, (_, n) => `a${n}: &a${n} [x, ${`*a${n - 1},`.repeat(n === 0 ? 0 : 9)}]`).join(
    '\n',
  );

  test.each([
    ['is long', () => 'k: 1\n'.repeat(30_000), /has 150000 bytes, an endpoint has at most/],
    ['has aliases without end', () => bomb, 'no valid YAML'],
    ['holds itself', () => '&a\nx: *a', 'knows no option `x`'],
  ])('since it %s', async (_name, text, message) => {
    const { cloned, context } = setUp();
    cloned('bad', text());
    const options = { backend: 'openai', url: 'http://127.0.0.1:9', endpoint: 'bad' };
    await expect(ask('go', { ...options, context: context() })).rejects.toThrow(message);
    expect(await listEndpoints(context())).toHaveLength(1);
  });

  test('since it is no file', async () => {
    const { context, folder } = setUp();
    mkdirSync(join(folder, 'etc/AI/folder.yaml'));
    symlinkSync('/dev/zero', join(folder, 'etc/AI/endless.yaml'));
    symlinkSync('loop.yaml', join(folder, 'etc/AI/loop.yaml'));
    execFileSync('mkfifo', [join(folder, 'etc/AI/silent.yaml')]);
    const list = await listEndpoints(context());
    expect(list.map(({ name, problem }) => [name, /is no file that can be read/.test(problem ?? '')])).toEqual([
      ['endless', true],
      ['folder', true],
      ['loop', true],
      ['silent', true],
    ]);
  });
});

describe('a key_command', () => {
  const failure = async (command: string, more: object = {}) => {
    const { own, context } = setUp();
    own('a', `key_command: ${JSON.stringify(command)}`);
    return ask('go', { ...probe().options, endpoint: 'a', context: context(), ...more }).catch((error) => error);
  };

  test('that reads finds nothing to read', async () => {
    expect((await failure('cat; echo sk-after')).text).toBeDefined();
  });

  test('that prints lines has printed no key', async () => {
    const error = await failure('echo sk-canary; echo more');
    expect(error).toMatchObject({ code: 'key_command_failed' });
    expect(error.message).toContain('printed more than one line');
    expect(error.message).not.toContain('canary');
  });

  test('that hangs is stopped by an abort, which is no error', async () => {
    const answer = await failure('sleep 60', { signal: AbortSignal.timeout(100) });
    expect(answer).toMatchObject({ stopReason: 'aborted', messages: [] });
  });
});

test('whether a copied endpoint answers is asked without running the code that it names', async () => {
  const { cloned, own, context, folder } = setUp();
  writeFileSync(
    join(folder, 'evil.mjs'),
    "globalThis.harmed = true; export const backend = { name: 'e', reply: () => ({}) };",
  );
  cloned('theirs', 'backend: ./evil.mjs');
  own('mine', 'backend: ./evil.mjs');
  await expect(checkEndpoint('theirs', context())).rejects.toMatchObject({ code: 'backend_code_refused' });
  expect(globalThis).not.toHaveProperty('harmed');
  expect(await checkEndpoint('mine', context())).toMatchObject({ answers: true });
});
