import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AskOptions, ask } from '@colophon/backends';
import type { Chat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, readChat, roles, spy, testContext } from './helpers.js';

const line = (role: string, content: string) => ({ role, content });
const start = [line('option', 'temperature 1'), line('system', 'rules')];

describe('what stands before a chat', () => {
  test('is sent first, holds for every answer, and is no part of the file', async () => {
    const folder = freshFolder();
    const { backend, asked } = spy(() => 'yes');
    const options = { backend, before: start, context: testContext(folder) };
    for (const question of ['one', 'two']) await ask({ file: join(folder, 'x.chat'), question }, options);
    expect(asked.map(({ chat, options }) => [lines(chat).join('; '), options['parameters']])).toEqual([
      ['system rules; user one', { temperature: 1 }],
      ['system rules; user one; assistant yes; user two', { temperature: 1 }],
    ]);
    expect(lines(readChat(join(folder, 'x.chat')))).toEqual(['user one', 'assistant yes', 'user two', 'assistant yes']);
  });

  test('may be the beginning of the chat itself, and then is saved with it', async () => {
    const folder = freshFolder();
    const { backend, asked } = spy(() => 'yes');
    const options = { backend, before: 2, saveFile: join(folder, 'x.chat'), context: testContext(folder) };
    let chat: Chat = [...start, line('user', 'one')];
    chat = [...chat, ...(await ask(chat, options)).messages, line('user', 'two')];
    await ask(chat, options);
    expect(asked[1]?.options['parameters']).toEqual({ temperature: 1 });
    expect(roles(readChat(join(folder, 'x.chat'))).slice(0, 3)).toEqual(['option', 'system', 'user']);
  });

  test('an example in it is no answer to an empty chat', async () => {
    const { backend } = spy(() => 'asked');
    const before = [line('user', 'hi'), line('assistant', 'hello')];
    expect((await ask([], { backend, before })).text).toBe('asked');
  });
});

describe('a transcript', () => {
  const run = async (more: AskOptions = {}) => {
    const folder = freshFolder();
    const { backend } = spy((round) => (round === 0 ? calling(['c', 'count']) : 'done'));
    const file = join(folder, 'x.chat');
    const transcript = join(folder, 'x.chat.files', 'Cook.chat');
    const { tool } = counter('count');
    const options = { backend, before: start, transcript, tools: [tool], context: testContext(folder), ...more };
    return { file, transcript, options };
  };

  test('holds the whole conversation, as it comes', async () => {
    const { file, transcript, options } = await run();
    const seen: string[] = [];
    const tool = { ...options.tools[0]!, run: () => void seen.push(...roles(readChat(transcript))) };
    await ask({ file, question: 'go' }, { ...options, tools: [tool] });
    expect(seen).toEqual(['option', 'system', 'user', 'meta', 'function_call']);
    expect(readChat(transcript)).toEqual([...start, ...readChat(file)]);
    await ask({ file, question: 'more' }, options);
    expect(readChat(transcript)).toEqual([...start, ...readChat(file)]);
  });

  test('that lags is brought up to date; one that says otherwise is kept in its resets', async () => {
    const { file, transcript, options } = await run();
    await ask({ file, question: 'go' }, { ...options, transcript: undefined as never });
    await ask({ file, question: 'more' }, options);
    expect(readChat(transcript)).toEqual([...start, ...readChat(file)]);
    writeFileSync(transcript, 'user: something else\n');
    await ask({ file, question: 'on' }, options);
    expect(readChat(transcript)).toEqual([...start, ...readChat(file)]);
    const resets = join(`${transcript}.files`, 'resets');
    expect(readdirSync(resets).map((name) => readFileSync(join(resets, name), 'utf8'))).toEqual([
      'user: something else\n',
    ]);
  });

  test('that can not be written is a warning beside a file, and an error without one', async () => {
    const { file, options } = await run();
    writeFileSync(join(file, '..', 'note'), '');
    const transcript = join(file, '..', 'note', 'Cook.chat');
    const answer = await ask({ file, question: 'go' }, { ...options, transcript });
    expect(answer.warnings.map(({ code }) => code)).toEqual(['transcript_failed']);
    expect(answer.text).toBe('done');
    await expect(ask('go', { ...options, transcript })).rejects.toThrow();
  });

  test('is not touched where nothing is recorded', async () => {
    const { file, transcript, options } = await run();
    await ask({ file, question: 'go' }, { ...options, transcript: undefined as never });
    await ask({ file }, options);
    expect(existsSync(transcript)).toBe(false);
  });
});
