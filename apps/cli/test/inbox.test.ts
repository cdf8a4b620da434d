import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from './built-cli.js';
import { folder } from './folder.js';

const chat = 'user: hi\nmeta: pt=1 ct=1 tt=2 inference_id=x1\nassistant: hello\n';

describe('inbox', () => {
  it('leaves notes, and shows which wait and which were delivered', async () => {
    const { path: cwd, join } = folder({ 'x.chat': chat, 'x.inbox_removed/old.md': 'earlier' });
    const posted = await runCli(['inbox', 'post', 'x.chat', 'be brief', '--name', 'note.md'], { cwd });
    expect({ code: posted.code, stderr: posted.stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(join('x.inbox/note.md'), 'utf8')).toBe('be brief');
    expect((await runCli(['inbox', 'post', 'x.chat', '-'], { cwd, input: 'from a pipe' })).code).toBe(0);
    expect(readdirSync(join('x.inbox'))).toHaveLength(2);
    const { code, stdout, stderr } = await runCli(['inbox', 'x.chat'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\n\n2 notes waiting, 1 delivered\n$/);
    expect(stdout).toMatch(/^pending .* 8 {2}note\.md +be brief$/m);
    expect(stdout).toMatch(/^delivered .* 7 {2}old\.md +earlier$/m);
    expect(JSON.parse((await runCli(['inbox', '--json', 'x.chat'], { cwd })).stdout).pending).toHaveLength(2);
  });

  it.each([
    [['inbox'], 2, /FILE/],
    [['inbox', 'post'], 2, /FILE is missing/],
    [['inbox', 'post', 'x.chat', 'two', 'words'], 2, /in quotes/],
    [['inbox', 'x.chat', 'text'], 2, /inbox post/],
    [['inbox', 'post', 'x.chat', ' '], 2, /TEXT is missing/],
    [['inbox', 'post', 'x.chat', 'stop', '--name', 'abort'], 1, /abort/],
    [['inbox', 'nowhere.chat'], 1, /nowhere\.chat/],
  ])('tells what is wrong with %j', async (words, exit, pattern) => {
    const { path: cwd, join } = folder({ 'x.chat': chat });
    const { code, stdout, stderr } = await runCli(words, { cwd });
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(pattern);
    expect(existsSync(join('x.inbox'))).toBe(false);
  });
});

describe('live', () => {
  it('lists the chats of a session, the newest first', async () => {
    const { path: cwd } = folder({ 'x.chat': chat, 'x.chat.files/agent.society/Critic/one/agent.chat': 'user: hm\n' });
    const { code, stdout } = await runCli(['live', 'x.chat'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +AGE +BYTES +FOUND BY +CHAT$/m);
    expect(stdout.match(/^→ /gm)).toHaveLength(1);
    expect(stdout).toContain('Critic/one/agent.chat');
    expect(JSON.parse((await runCli(['live', '--json', 'x.chat'], { cwd })).stdout).total).toBe(2);
    expect((await runCli(['live', 'nowhere'], { cwd })).code).toBe(1);
  });

  it('joins the notes of each chat and the jobs in flight with their state', async () => {
    const job = 'var/jobs/Tide/ask/next';
    const { path: cwd } = folder({
      'x.chat': chat,
      'x.inbox/later.md': 'one more thing',
      'x.inbox/.draft': 'not a note yet',
      'x.inbox_removed/first.md': 'be brief',
      'x.jobs': 'Tide/ask/next\nTide/ask/gone\n',
      [`${job}.info`]: '{"status":"start","workflow":"Tide","task_name":"ask","type":"chat","dependencies":[]}',
      [`${job}.files/agent.chat`]: 'user: when?\n',
    });
    const { code, stdout, stderr } = await runCli(['live', 'x.chat'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^.* 1 +1 +provenance\s+x\.chat$/m);
    expect(stdout).toMatch(/^dangling_job +not found +\.jobs\s+(?:which )?Tide\/ask\/gone$/m);
    expect(stdout).toMatch(/ start, gone +\.jobs/);
    expect(stdout).toContain(`${job}.files/agent.chat`);
    expect(stdout).toMatch(/\n2 chats, 2 in flight, 1 note waiting\n$/);
    const list = JSON.parse((await runCli(['live', '--json', 'x.chat'], { cwd })).stdout);
    expect(list.chats.find(({ source }: { source: string }) => source === 'provenance').inbox).toEqual({
      waiting: 1,
      consumed: 1,
    });
    expect(list.work.map(({ state }: { state: string }) => state).sort()).toEqual(['not found', 'start, gone']);
  });
});
