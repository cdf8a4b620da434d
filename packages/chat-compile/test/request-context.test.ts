import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileChat, createContext, toWorkflows } from '@colophon/chat-compile';
import { nodeContext as compileContext } from '@colophon/chat-compile/node';
import { defineWorkflow, readJob, task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { expect, onTestFinished, test } from 'vitest';

test('the jobs of a chat keep what is known of the request', async () => {
  const root = mkdtempSync(join(tmpdir(), 'request-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const kitchen = defineWorkflow({ name: 'Kitchen', tasks: { mix: task({ type: 'string', run: () => 'dough' }) } });
  const jobs = nodeContext({ roots: [root], workflows: { Kitchen: kitchen } });
  const context = createContext({
    ...compileContext({ workingDirectory: root }),
    workflows: toWorkflows(jobs),
    requestContext: { caller: '/x.chat', key: 'sk-1' },
  });
  const chat = await compileChat([{ role: 'inline_task', content: 'Kitchen mix' }], context);
  expect(chat.map(({ content }) => content).join()).toContain('dough');
  const path = join(jobs.jobs, 'Kitchen', 'mix', 'Default');
  expect((await readJob(path)).info['request_context']).toEqual({ version: 1, fields: { caller: '/x.chat' } });
});
