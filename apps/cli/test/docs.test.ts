import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { builtCli } from './built-cli.js';
import { folder } from './folder.js';

// Each run is a process of its own: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 120_000 });

const docs = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

/** The blocks of a document of one language: what stands behind it in the fence, and the text. */
const blocks = (text: string, language: string): { info: string; code: string }[] =>
  [...text.matchAll(/^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , info = '', code = '']) => ({ info, code }));

/** Lines with `$` are typed, what follows is promised. `…` stands for any text, `<digest>` for any digest. */
const steps = (code: string): { line: string; promised: string }[] =>
  code
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [line = '', ...promised] = step.trimEnd().split('\n');
      return { line, promised: promised.map((text) => text.trimEnd()).join('\n') };
    });

const toPattern = (promised: string): RegExp =>
  new RegExp(
    `^${promised
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '.*')
      .replaceAll('<digest>', '[0-9a-f]{32}')}$`,
  );

describe('docs/workflows.md', () => {
  const text = docs('workflows.md');

  it('types commands that give what it promises', () => {
    const { code } = blocks(text, 'ts').find(({ info }) => info === 'workflows/Kitchen/workflow.ts')!;
    const project = folder({ 'workflows/Kitchen/workflow.ts': code });
    const bin = folder();
    mkdirSync(project.join('var/jobs'), { recursive: true });
    writeFileSync(bin.join('colophon'), `#!/bin/sh\nexec "${process.execPath}" "${builtCli()}" "$@"\n`);
    chmodSync(bin.join('colophon'), 0o755);
    // Not every machine has jq; this much of it is enough.
    writeFileSync(
      bin.join('jq'),
      `#!${process.execPath}\nlet text = '';\nprocess.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {\n  for (const { inputs } of JSON.parse(text)) console.log(inputs.flour);\n});\n`,
    );
    chmodSync(bin.join('jq'), 0o755);
    const listed = steps(
      blocks(text, 'console')
        .map(({ code: lines }) => lines)
        .join(''),
    );
    expect(listed.length).toBeGreaterThan(5);
    for (const { line, promised } of listed) {
      const output = execFileSync('/bin/sh', ['-c', line], {
        cwd: project.path,
        encoding: 'utf8',
        env: { PATH: `${bin.path}:${process.env['PATH']}`, HOME: join(bin.path, 'home') },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const plain = output
        .split('\n')
        .map((part) => part.trimEnd())
        .join('\n')
        .trimEnd();
      expect(plain, line).toMatch(toPattern(promised));
    }
  });
});

describe('docs/mcp.md', () => {
  it('has a configuration that is read as it says', async () => {
    const { mcpConfig } = await import('../src/mcp-config.js');
    const [{ code } = { code: '' }] = blocks(docs('mcp.md'), 'json');
    const { path } = folder({ 'etc/mcp.json': code });
    const root = { path, writable: true, trusted: true, origin: 'yours' };
    const environment = { NOTES_KEY: 'n', TOOLS_KEY: 't' };
    const { names, settings } = mcpConfig({ roots: [root], environment });
    expect(names).toEqual(['notes', 'tools']);
    expect(settings({ kind: 'named', name: 'notes' })).toEqual({
      command: ['notes-server', '--folder', 'notes'],
      env: { NOTES_KEY: 'n' },
    });
    const tools = { url: 'https://tools.example.org/mcp', key: 't', headers: { 'X-Team': 'books' } };
    expect(settings({ kind: 'named', name: 'tools' })).toEqual(tools);
    expect(settings({ kind: 'http', url: tools.url })).toEqual(tools);
    expect(settings({ kind: 'http', url: 'https://tools.example.org/other' })).toBeUndefined();
    expect(settings({ kind: 'stdio', command: ['notes-server', '--folder', 'notes'] })?.env).toEqual({
      NOTES_KEY: 'n',
    });
    expect(settings({ kind: 'named', name: 'none' })).toBeUndefined();
    expect(() => mcpConfig({ roots: [root], environment: {} }).settings({ kind: 'named', name: 'notes' })).toThrow(
      /etc\/mcp\.json: the server notes: the variable NOTES_KEY is not set/,
    );
    expect(mcpConfig({ roots: [{ ...root, trusted: false }], environment }).names).toEqual([]);
  });

  it.each([
    ['{', /no JSON/],
    ['{}', /expected \{"mcpServers"/],
    ['{"mcpServers": {"a": 1}}', /server a is no object/],
  ])('%s is an error that names the file', async (text, message) => {
    const { mcpConfig } = await import('../src/mcp-config.js');
    const { path } = folder({ 'etc/mcp.json': text });
    const read = () =>
      mcpConfig({ roots: [{ path, writable: true, trusted: true, origin: 'yours' }], environment: {} }).settings({
        kind: 'named',
        name: 'a',
      });
    expect(read).toThrow(message);
    expect(read).toThrow(path);
  });
});
