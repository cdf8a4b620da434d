import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askable, previewRequest, replay } from '@colophon/backends';
import { chat, unannotate } from '@colophon/chat-format';
import { expect, test } from 'vitest';
import { counter, freshFolder, roles, spy, testContext } from './helpers.js';

test('a chat gets ask, chat and object, and is a plain array for everything else', async () => {
  const asking = askable(chat([]), { backend: replay({ replies: ['{"ok":true}'] }) });
  asking.user('well?');
  expect(await asking.ask()).toBe('{"ok":true}');
  expect(roles(asking)).toEqual(['user']);
  expect(await asking.object({ ok: 'boolean' })).toEqual({ ok: true });
  expect(roles(asking)).toEqual(['user']);
  expect(await asking.chat()).toBe('{"ok":true}');
  expect(roles(asking)).toEqual(['user', 'meta', 'assistant']);
  expect(Object.keys(asking)).toEqual(['0', '1', '2']);
  expect(JSON.parse(JSON.stringify(asking))).toHaveLength(3);
  const plain = unannotate(asking);
  expect('ask' in plain || 'chat' in plain || 'object' in plain || 'user' in plain).toBe(false);
});

test('a preview is what would be sent, and touches nothing', async () => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  writeFileSync(file, 'option: temperature 0.5\nsystem: Be brief\n');
  mkdirSync(join(folder, 'a.inbox'));
  writeFileSync(join(folder, 'a.inbox', 'hint'), 'north');
  const { backend, asked } = spy(() => 'never');
  const options = { backend, tools: [counter('look').tool], context: testContext(folder) };
  const preview = await previewRequest({ file, question: 'go' }, options);
  expect(preview).toMatchObject({
    backend: 'spy',
    model: 'spy',
    chat: [{ role: 'system' }, { role: 'user', content: 'go' }],
    tools: [{ name: 'look', parameters: { type: 'object' } }],
    parameters: { temperature: 0.5 },
  });
  expect([asked, readdirSync(folder).sort(), readdirSync(join(folder, 'a.inbox'))]).toEqual([
    [],
    ['a.chat', 'a.inbox'],
    ['hint'],
  ]);
  const wire = await previewRequest('go', {
    backend: 'openai',
    model: 'm',
    key: 'sk-canary-1',
    context: testContext(folder),
  });
  expect(wire?.request).toMatchObject({ model: 'm', messages: [{ role: 'user', content: 'go' }] });
  expect(JSON.stringify(wire)).not.toContain('canary');
});
