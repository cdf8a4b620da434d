import { checkRegistry } from '@colophon/tools';
import { describe, expect, test } from 'vitest';
import { callOne, faultyCommand, openClients, stdioTools } from './servers.js';

const faultyTools = (mode?: string, options = {}) => stdioTools(faultyCommand(mode), options);

describe('a list of tools', () => {
  test('in pages is read to its end', async () => {
    const whole = await faultyTools();
    const paged = await faultyTools('pages');
    expect(paged.list.map(({ name }) => name)).toEqual(whole.list.map(({ name }) => name));
  });

  test('that never ends is cut, with a warning', async () => {
    const same = await faultyTools('same-page');
    expect(same.list.length).toBeGreaterThan(3);
    const endless = await faultyTools('endless-pages');
    expect(endless.list).toHaveLength(1_001);
    for (const { warnings } of [same, endless]) expect(warnings.join()).toContain('never ends');
  });

  test('of a server without tools is empty, with a warning', async () => {
    const { list, warnings } = await faultyTools('toolless');
    expect(list).toEqual([]);
    expect(warnings.join()).toContain('has no tools');
  });

  test('gets names that a registry takes, each its own', async () => {
    const { list, warnings } = await faultyTools('odd-names');
    checkRegistry(list);
    expect(list.map(({ name }) => name)).toEqual([
      'a_b_2',
      'a_b',
      'a_b_3',
      'tool',
      '_n_',
      'x'.repeat(128),
      '__proto__',
      'twice',
    ]);
    expect(warnings.join()).toContain('two of its tools are named `twice`');
  });

  test('with schemas that can not be read keeps the names of their inputs, and harms no other tool', async () => {
    const { list, warnings } = await faultyTools('odd-schemas');
    checkRegistry(list);
    expect(list.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['broken', { type: 'object', properties: { a: { description: 'An a.' } } }],
      ['remote', { type: 'object', properties: { a: {} } }],
      ['schemaless', { type: 'object' }],
      ['untyped', { properties: { a: { type: 'number' } } }],
      ['draft7', expect.objectContaining({ $schema: 'http://json-schema.org/draft-07/schema#' })],
      ['hinted', { type: 'object' }],
    ]);
    expect(list.at(-1)).toMatchObject({
      description: 'Hinted tool',
      readOnly: true,
      destructive: false,
      idempotent: true,
    });
    expect(warnings).toHaveLength(5);
    const checked = await callOne(list, 'draft7', { a: ['x'] });
    expect(checked['error']).toBe('invalid_arguments');
  });

  test('is cut to the tools of the settings, by the names of the server or ours', async () => {
    const only = (tools: string[]) =>
      openClients({ settings: () => ({ command: faultyCommand('odd-names'), tools }) }).tools({
        kind: 'named',
        name: 'forge',
      });
    expect((await only(['a.b', 'a_b_3'])).map(({ name }) => name)).toEqual(['a_b_2', 'a_b_3']);
    await expect(only(['a.b', 'nothing'])).rejects.toMatchObject({
      code: 'bad_mcp_server',
      message: expect.stringContaining('`tools` names `nothing`'),
    });
  });
});

describe('a result', () => {
  const text = (value: string) => ({ type: 'text', text: value });
  const image = (length: number) => ({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(length) });

  test.each([
    ['of one text is the text', { content: [text('plum')] }, 'plum'],
    ['of an empty text is empty', { content: [text('')] }, ''],
    ['of nothing is success', { content: [] }, 'success'],
    ['without content is success', {}, 'success'],
    ['of several texts is JSON', { content: [text('a'), text('b')] }, [text('a'), text('b')]],
    ['of an image is JSON with its data', { content: [image(8)] }, image(8)],
    [
      'of a large image says what was left out',
      { content: [image(40_000)] },
      { type: 'image', mimeType: 'image/png', bytes: 30_000, note: 'left out: more than 32768 characters of base64' },
    ],
    [
      'of a large file, too',
      { content: [{ type: 'resource', resource: { uri: 'a:b', blob: `${'A'.repeat(39_999)}=` } }] },
      { type: 'resource', resource: { uri: 'a:b', bytes: 29_999, note: expect.stringContaining('left out') } },
    ],
    [
      'of a text resource is JSON',
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: 't' } }] },
      expect.objectContaining({ type: 'resource' }),
    ],
    [
      'of a kind that nobody knows is JSON',
      { content: [{ type: 'smell', of: 'plum' }] },
      { type: 'smell', of: 'plum' },
    ],
    ['with structured content is that', { content: [text('{"g":38}')], structuredContent: { g: 38 } }, { g: 38 }],
    ['with structured content alone, too', { structuredContent: { g: [1] } }, { g: [1] }],
    [
      'with structured content that its text does not repeat has both',
      { content: [text('38 g')], structuredContent: { g: 38 } },
      { content: [text('38 g')], structuredContent: { g: 38 } },
    ],
    ['of the first protocol is its value', { toolResult: [1, 2] }, [1, 2]],
  ])('%s', async (_, result, expected) => {
    const { list } = await faultyTools();
    const output = await callOne(list, 'answer', { result });
    expect(output['error']).toBeUndefined();
    const content = String(output['content']);
    expect(typeof expected === 'string' ? content : JSON.parse(content)).toEqual(expected);
  });

  test.each([
    ['with its text', { isError: true, content: [text('oven off')] }, { exception: 'oven off' }],
    ['with its texts', { isError: true, content: [text('oven'), text('off')] }, { exception: 'oven\noff' }],
    ['without a word', { isError: true, content: [] }, { exception: expect.stringContaining('not why') }],
    [
      'with more than a text',
      { isError: true, content: [text('{"exception":"off","exit_status":3}')] },
      { exception: 'off', exit_status: 3 },
    ],
  ])('that is an error fails %s', async (_, result, expected) => {
    const { list } = await faultyTools();
    const output = await callOne(list, 'answer', { result });
    expect(output['error']).toBe('error');
    expect(JSON.parse(String(output['content']))).toEqual(expected);
  });
});

test('a process gets few variables of ours, and those of its settings', async () => {
  const clients = openClients({
    environment: { PATH: process.env['PATH'], HOME: '/home/ada', TULIP_KEY: 'tulip-key-123', SHELL: '() { :; }' },
    settings: () => ({ command: faultyCommand(), env: { ORCHARD: 'north', ROSE_TOKEN: 'rose-key-456' } }),
  });
  const list = await clients.tools({ kind: 'named', name: 'forge' });
  const environment = JSON.parse(String((await callOne(list, 'environment'))['content']));
  expect(environment).toEqual({
    PATH: process.env['PATH'],
    HOME: '/home/ada',
    ORCHARD: 'north',
    // What the server was given as a credential is not for the model.
    ROSE_TOKEN: '[hidden]',
  });
});

test('no credential of the settings is in what is told of a server', async () => {
  const told: string[] = [];
  const env = { LICENCE_KEY: 'tulip-key-123' };
  const clients = openClients({
    settings: () => ({ command: faultyCommand('exit-at-start'), env }),
    onStderr: (line) => told.push(line),
  });
  const error = await clients.tools({ kind: 'named', name: 'forge' }).catch((error) => error);
  expect(error.message).toContain('no licence for [hidden]');
  expect(told).toEqual(['no licence for [hidden]']);
  const running = openClients({ settings: () => ({ command: faultyCommand(), env: { SECRET_KEY: 'rose-key-456' } }) });
  const list = await running.tools({ kind: 'named', name: 'forge' });
  expect((await callOne(list, 'throw'))['content']).toContain('broken, key [hidden]');
});

test('a credential that is a number or a word of JSON leaves answers what they are', async () => {
  const env = { PIN_KEY: '1234', USE_TOKEN: 'true', PASSPHRASE: '","' };
  const clients = openClients({ settings: () => ({ command: faultyCommand(), env }) });
  const list = await clients.tools({ kind: 'named', name: 'forge' });
  const ask = async (result: object) => {
    const { content, error } = await callOne(list, 'answer', { result });
    return { content: JSON.parse(String(content)), error };
  };
  const structuredContent = { pin: 1234, size: 12345, open: true, words: ['a', 'b', 'pin 1234'], '1234': 1 };
  expect(await ask({ structuredContent })).toEqual({
    content: { pin: '[hidden]', size: 12345, open: true, words: ['a', 'b', 'pin [hidden]'], '[hidden]': 1 },
    error: undefined,
  });
  // A failure stays one.
  expect(await ask({ isError: true, content: [{ type: 'text', text: 'wrong pin 1234' }] })).toEqual({
    content: { exception: 'wrong pin [hidden]' },
    error: 'error',
  });
});
