import { describe, expect, it } from 'vitest';
import { commandTable, listedCommands } from '../src/command-table.js';
import { renderError } from '../src/show-error.js';
import { runCli } from './built-cli.js';

describe('the top level', () => {
  it('helps, on standard output', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name } of listedCommands) expect(stdout).toContain(`  ${name} `);
    expect(stdout).not.toContain('\u001b[');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('helps when nothing is asked', async () => {
    expect((await runCli([])).stdout).toBe((await runCli(['--help'])).stdout);
  });

  it('helps on a group and on a command', async () => {
    expect((await runCli(['chat'])).stdout).toContain('chat compile');
    const asked = await runCli(['chat', 'print', '--help']);
    expect(asked.stdout).toContain('Usage  colophon chat print [options] FILE');
    expect((await runCli(['help', 'chat', 'print'])).stdout).toBe(asked.stdout);
  });

  it('says its version', async () => {
    expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each([
    [['chta'], 'unknown command `chta`; did you mean `chat`?'],
    [['chat', 'prnt', 'x'], 'unknown command `chat prnt`; did you mean `chat print`?'],
    [['zzzzzzzzzz'], 'unknown command `zzzzzzzzzz`; see `colophon --help`'],
    [['agent', 'lst'], 'unknown command `agent lst`; did you mean `agent list`?'],
  ])('calls %j wrong usage', async (words, line) => {
    const { code, stdout, stderr } = await runCli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [['--log-level', 'loud', 'endpoints'], /loud.*debug, info, warn, error/],
    [['endpoints', '--root', 'no-such-folder'], /--root no-such-folder: no such folder/],
    [['ask', '--modle', 'x'], /unknown option --modle; did you mean --model\?/],
    [['ask', '--model'], /--model/],
    [['chat', 'print'], /FILE/],
    [['chat', 'md', 'a', 'b'], /too many arguments/],
    [['prov', '--dot', 'x', 'a.chat'], /too many arguments: a\.chat; a file behind --dot ends in \.dot, \.gv/],
    [['completion'], /the shell \(bash, zsh, fish\)/],
    [['completion', 'csh'], /bash, zsh, fish/],
  ])('tells of wrong options and words in one line: %j', async (words, pattern) => {
    const { code, stdout, stderr } = await runCli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

it('says of a link that cannot be made where it was to be, not what it was to lead to', () => {
  const error = Object.assign(new Error('EACCES'), {
    code: 'EACCES',
    syscall: 'symlink',
    path: '12 host',
    dest: '/d/x',
  });
  expect(renderError(error, { color: false, verbose: false })).toBe('colophon: /d/x: permission denied');
});

describe('every command', () => {
  it.each(commandTable.map(({ name, summary, load }) => [name, summary, load] as const))(
    '%s describes itself',
    async (name, summary, load) => {
      const { command } = await load();
      expect(command.name).toBe(name);
      expect(command.description.length).toBeGreaterThan(20);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line] of command.examples) expect(line).toContain(`colophon ${name}`);
      expect(summary).not.toMatch(/\.$/);
    },
  );

  it.each(commandTable.map(({ name }) => name))('%s helps without doing anything', async (name) => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Examples');
  });
});
