import { readFileSync } from 'node:fs';
import { checkChat, parseChat, printChat, roles } from '@colophon/chat-format';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../../docs/chat-format.md', import.meta.url), 'utf8');

const cells = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The cells of a table's rows, by the words of its head. */
const table = (...head: string[]) => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cells(line).join('|') === head.join('|'));
  expect(start).toBeGreaterThan(0);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells);
};

describe('docs/chat-format.md', () => {
  it('lists the roles as they are', () => {
    expect(table('role', 'group', 'for', 'seen', 'stage')).toEqual(
      Object.entries(roles).map(([role, { group, purpose, visible, stage }]) => [
        `\`${role}\``,
        group,
        purpose,
        visible ? 'yes' : '',
        stage ?? '',
      ]),
    );
  });

  it('tells every code of the check, each of which there is', () => {
    const examples: Record<string, string> = {
      unknown_role: 'user:\nx\nelse:',
      not_protected: '~~~\nuser: x\n~~~',
      escape_taken_off: '\\user:',
      hidden_header: '```\nuser: x\n```',
      open_block: '```',
      unreadable_call: 'function_call: x',
      call_without_output: 'function_call: {"name":"a"}',
      output_without_call: 'function_call_output: {"id":"1"}',
      repeated_call_id: 'mcp_call: {"name":"a","id":"1"}\nmcp_call: {"name":"a","id":"1"}',
    };
    expect(table('code', 'what').map(([code]) => code)).toEqual(Object.keys(examples).map((code) => `\`${code}\``));
    for (const [code, chat] of Object.entries(examples)) {
      expect(checkChat(chat).map((problem) => problem.code)).toContain(code);
    }
  });

  it('shows a chat that reads as it says', () => {
    const [, chat] = /```text\n([\s\S]*?)```/.exec(text)!;
    expect(parseChat(chat!)).toEqual([
      { role: 'system', content: 'You answer briefly.' },
      { role: 'user', content: 'When is high tide at Rye?\nAnd low tide?' },
    ]);
    expect(parseChat(printChat(parseChat(chat!)))).toEqual(parseChat(chat!));
  });
});
