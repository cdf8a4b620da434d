import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tasks } from '@colophon/analyst-tasks';
import { describe, expect, it } from 'vitest';
import { runCli } from './built-cli.js';
import { folder } from './folder.js';

const cases = fileURLToPath(new URL('../../../fixtures/renders', import.meta.url));

const session = () => {
  const made = folder();
  cpSync(join(cases, 'delegation'), made.path, { recursive: true });
  return { ...made, analyst: (...words: string[]) => runCli(['analyst', ...words], { cwd: made.path }) };
};

describe('analyst', () => {
  it('lists its tasks', async () => {
    const { analyst } = session();
    const { code, stdout } = await analyst();
    expect(code).toBe(0);
    for (const name of Object.keys(tasks)) expect(stdout).toContain(`  ${name} `);
  });

  it('prints JSON of the schema of the task where nobody looks, and says what prov says', async () => {
    const { analyst, path } = session();
    const { code, stdout, stderr } = await analyst('chat_report', 'root.chat');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(tasks['chat_report']!.output.safeParse(report).success).toBe(true);
    const { stdout: tree } = await runCli(['prov', 'root.chat', '--json'], { cwd: path });
    expect(JSON.parse(tree).totals.deduplicated_total.tt).toBe(report.tokens.deduplicated_total.tt);
    expect(report.tokens.deduplicated_total.tt).toBeGreaterThan(0);
  });

  it('prints each task as tables', async () => {
    const { analyst } = session();
    const inputs: Record<string, string[]> = {
      extract_chat_range: ['--start', '0', '--end', '0'],
      message_content: ['--ids', 'root.chat#0'],
      post_inbox_advice: ['--message', 'Be brief.'],
    };
    for (const name of Object.keys(tasks)) {
      const { code, stdout, stderr } = await analyst(name, 'root.chat', '--table', ...(inputs[name] ?? []));
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
      expect(stdout).not.toMatch(/^\s*[{[]/);
      expect(stdout.trim()).not.toBe('');
    }
  }, 120_000);

  it('takes inputs as flags, and tells what is wrong with them', async () => {
    const { analyst } = session();
    const calls = JSON.parse(
      (await analyst('chat_tool_calls', 'root.chat', '--tool', 'ask', '--per-page', '1')).stdout,
    );
    expect(calls.per_page).toBe(1);
    expect(calls.calls.every(({ tool }: { tool: string }) => tool === 'ask')).toBe(true);
    for (const words of [
      ['chat_tokns', 'root.chat'],
      ['chat_tokens'],
      ['chat_tokens', 'root.chat', '--per-page', 'many'],
      ['chat_tokens', 'root.chat', '--follow', 'jobs'],
      ['chat_accounting', 'root.chat', '--scope', 'everything'],
      ['chat_tokens', 'root.chat', '--unknown', 'x'],
    ]) {
      const { code, stdout, stderr } = await analyst(...words);
      expect({ words, code, stdout }).toEqual({ words, code: expect.toBeOneOf([1, 2]), stdout: '' });
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect((await analyst('chat_tokens', 'gone.chat')).stderr).toContain('gone.chat');
  }, 60_000);
});
