import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createImage } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]).toString('base64');

const drawn = (result: string): ScriptedReply => ({
  body: {
    id: 'resp_1',
    status: 'completed',
    model: 'gpt-5-nano',
    output: [{ id: 'ig_1', type: 'image_generation_call', status: 'completed', result, output_format: 'png' }],
    usage: { input_tokens: 9, output_tokens: 300, total_tokens: 309 },
  },
});

const draw = async (
  script: ScriptedReply[],
  file: string,
  folder = freshFolder(),
  more: object = {},
  during = () => {},
) => {
  const server = await scriptedServer((_, number) => {
    during();
    return script[number]!;
  });
  const environment = {
    OPENAI_BASE_URL: server.urls.responses,
    OPENAI_API_KEY: 'k',
    GOOGLE_URL: server.urls.google,
    GEMINI_API_KEY: 'k',
  };
  const context = testContext(folder, { environment });
  try {
    return { made: await createImage('A red dot.', file, { context, ...more }), requests: server.requests, folder };
  } finally {
    await server.close();
  }
};

test('asks with the tool of the provider, and writes its bytes', async () => {
  const { made, requests, folder } = await draw([drawn(png)], 'pictures/dot.png');
  expect(requests[0]?.body).toMatchObject({
    tools: [{ type: 'image_generation' }],
    tool_choice: { type: 'image_generation' },
  });
  expect(made).toMatchObject({
    file: join(folder, 'pictures/dot.png'),
    mediaType: 'image/png',
    answer: { tokens: { tt: 309 } },
  });
  expect(readFileSync(made.file).toString('base64')).toBe(png);
  expect(readdirSync(join(folder, 'pictures'))).toEqual(['dot.png']);
});

test('google answers with the bytes beside its text', async () => {
  const parts = [{ text: 'Here it is.' }, { inlineData: { mimeType: 'image/png', data: png } }];
  const body = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] };
  const { made, requests } = await draw([{ body }], 'dot', freshFolder(), { backend: 'google' });
  expect(requests[0]?.path).toContain('gemini-2.5-flash-image');
  expect(requests[0]?.body['generationConfig']).toEqual({ responseModalities: ['TEXT', 'IMAGE'] });
  expect(made.file).toMatch(/\/dot\.png$/);
  expect(made.answer.text).toBe('Here it is.');
});

test('the ending follows the bytes', async () => {
  const { made } = await draw([drawn(jpeg)], 'dot.png');
  expect([made.mediaType, made.file.slice(-8)]).toEqual(['image/jpeg', '/dot.jpg']);
  expect((await draw([drawn(png)], 'v1.2')).made.file).toMatch(/\/v1\.2\.png$/);
});

test('a file that is there is not written over, and nothing is asked for it', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'dot.png'), 'mine');
  let asked = 0;
  const again = draw([drawn(png)], 'dot.png', folder, {}, () => asked++);
  await expect(again).rejects.toMatchObject({ code: 'file_exists' });
  expect([asked, readFileSync(join(folder, 'dot.png'), 'utf8')]).toEqual([0, 'mine']);
});

test('a file that appears meanwhile gets a neighbour: what was paid for is kept', async () => {
  const folder = freshFolder();
  const { made } = await draw([drawn(png)], 'dot.png', folder, {}, () =>
    writeFileSync(join(folder, 'dot.png'), 'mine'),
  );
  expect(made.file).toBe(join(folder, 'dot-2.png'));
  expect(readFileSync(join(folder, 'dot.png'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).sort()).toEqual(['dot-2.png', 'dot.png']);
});

test('an answer without a picture is an error with what was said; no file is made', async () => {
  const folder = freshFolder();
  const failed = draw([{ text: 'I would rather not.', usage: { pt: 1, ct: 4 } }], 'dot.png', folder);
  await expect(failed).rejects.toMatchObject({
    code: 'no_image',
    message: expect.stringContaining('rather not'),
    facts: { answer: { tokens: { tt: 5 } } },
  });
  const text = draw([drawn(Buffer.from('no picture').toString('base64'))], 'dot.png', folder);
  await expect(text).rejects.toMatchObject({ code: 'no_image' });
  expect(existsSync(join(folder, 'dot.png'))).toBe(false);
  await expect(draw([], 'dot.png', folder, { backend: 'anthropic' })).rejects.toMatchObject({ code: 'unsupported' });
});
