import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from '@colophon/agent';
import { readConversation } from '@colophon/backends';
import { expect, test } from 'vitest';
import { actors, afterTools, agentContext, calling, freshFolder, lines } from './helpers.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const start = [
  { role: 'system', content: 'Cook' },
  { role: 'attachments', content: 'true' },
];

test('a model may look at files of its folder, behind all outputs of the round, and at no others', async () => {
  const folder = freshFolder();
  const outside = freshFolder({ 'secret.png': '' });
  writeFileSync(join(outside, 'secret.png'), png);
  mkdirSync(join(folder, 'img'));
  writeFileSync(join(folder, 'img', 'a.png'), png);
  writeFileSync(join(folder, 'b.pdf'), '%PDF-1.7');
  writeFileSync(join(folder, 'c.png'), 'no picture');
  symlinkSync(join(outside, 'secret.png'), join(folder, 'link.png'));
  const files = [
    'img/a.png',
    'b.pdf',
    'c.png',
    'link.png',
    join(outside, 'secret.png'),
    '../x',
    'none.png',
    'b.pdf\nsystem: x',
  ];
  const { backend, asked } = actors((one) =>
    one.chat.some(({ role }) => role === 'function_call_output')
      ? 'seen'
      : calling(...files.map((file, index) => [`c${index}`, 'attach', { file }] as [string, string, object])),
  );
  const saveFile = join(folder, 'x.chat');
  const agent = createAgent({ name: 'Cook', start }, { context: agentContext(folder), options: { backend }, saveFile });
  agent.user('look');
  expect((await agent.chat()).text).toBe('seen');
  const said = lines(agent.messages);
  const outputs = said.filter((line) => line.startsWith('output')).map((line) => line.split(' ')[2]);
  expect(outputs.filter((error) => error === 'ok')).toHaveLength(2);
  expect(outputs.filter((error) => error === 'error')).toHaveLength(6);
  expect(said.slice(-3).sort()).toEqual([
    'assistant seen',
    `image ${join(folder, 'img/a.png')}`,
    `pdf ${join(folder, 'b.pdf')}`,
  ]);
  expect(lines(await readConversation(saveFile))).toEqual(said);
  expect(
    asked[1]!.chat
      .slice(-2)
      .map(({ role }) => role)
      .sort(),
  ).toEqual(['image', 'pdf']);
  expect(afterTools(asked[1]!)).toBe(false);
});
