import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { buildGraph, type Reader, renders, tokenEvents, tokenTotals } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../../apps/cli/test/built-cli.js';
import { infoOf, jobAt, paid, receipt, writeJob } from './provenance-faults.js';
import { type Place, placeIn, stateBelow } from './provenance-place.js';
import { times } from './scale.js';

let folder: string;
let place: Place;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'races-')));
  chmodSync(folder, 0o755);
  place = placeIn(folder);
  const { write } = place;
  write('root.chat', `user: Go.\n${receipt('k', [{ job: 'Tide/ask/a' }])}${paid('root')}`);
  writeJob(place, 'a', infoOf(['Tide/ask/b']));
  writeJob(place, 'b');
  write('root.society/Pilot/one/agent.chat', paid('one'));
  write('root.society/Pilot/two/agent.chat', paid('two'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const totalOf = async (reader: Reader) => {
  const graph = await buildGraph(join(folder, 'root.chat'), { reader });
  const { events, warnings } = tokenEvents(graph);
  for (const render of Object.values(renders)) expect(render(graph, events, {})).not.toBe('');
  return { tt: tokenTotals(events).tt, codes: [...graph.warnings, ...warnings].map(({ code }) => code) };
};

const fileReader = () => nodeReader({ roots: [folder] });

/** The reader of files, and what happens on disk just before a chat is read. */
const before = (name: string, happens: () => void): Reader => {
  const reader = fileReader();
  return {
    ...reader,
    chat: (path) => {
      if (path.endsWith(name)) happens();
      return reader.chat(path);
    },
  };
};

describe('what changes between listing and reading', () => {
  const at = (name: string) => join(folder, name);
  const one = 'root.society/Pilot/one/agent.chat';
  const replacing = (make: () => void) => () => {
    rmSync(at(one));
    make();
  };
  const cases: [what: string, happens: () => void, tt: number, codes: string[]][] = [
    ['vanishes', () => rmSync(at(one)), 12, ['vanished']],
    ['becomes a folder', replacing(() => mkdirSync(at(one))), 12, ['unreadable']],
    ['becomes a pipe', replacing(() => place.pipe(one)), 12, ['unreadable']],
    ['becomes a link to itself', replacing(() => place.link(one, at(one))), 12, ['vanished']],
    ['is replaced by a longer one', () => place.write(one, paid('one') + paid('more')), 18, []],
    ['is replaced by half of one', () => place.write(one, 'meta: pt=2 ct=1'), 12, []],
    ['is emptied', () => place.write(one, ''), 12, []],
    ['goes with its whole society', () => rmSync(at('root.society'), { recursive: true }), 9, ['vanished', 'vanished']],
    [
      'is renamed with its whole society',
      () => renameSync(at('root.society'), at('moved')),
      9,
      ['vanished', 'vanished'],
    ],
  ];
  test.each(cases)('a chat that %s', async (_, happens, tt, codes) => {
    expect(await totalOf(before(one, happens))).toEqual({ tt, codes });
  });
});

describe('what goes while jobs are read', () => {
  test.each([
    ['an .info', () => rmSync(join(folder, `${jobAt('b')}.info`)), 15],
    ['a result', () => rmSync(join(folder, jobAt('b'))), 15],
    ['a job with all that it left', () => rmSync(join(folder, 'var'), { recursive: true }), 6],
  ])('%s', async (_, happens, least) => {
    const reader = fileReader();
    let done = false;
    const { tt } = await totalOf({
      ...reader,
      job: async (path) => {
        const facts = await reader.job(path);
        if (!done) happens();
        done = true;
        return facts;
      },
    });
    expect(tt).toBeGreaterThanOrEqual(least);
  });
});

test(`a session that a program writes to all the time, ${times(200)} times`, async () => {
  const writer = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('provenance-writer.ts', import.meta.url)), join(folder, 'root.society')],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let trouble = '';
  writer.stderr.on('data', (data) => {
    trouble += data;
  });
  const context = nodeAnalystContext({ workingDirectory: folder, roots: [folder], now: () => new Date() });
  try {
    while (!existsSync(join(folder, 'root.society/replaced.chat')) && trouble === '')
      await new Promise((resolve) => setTimeout(resolve, 20));
    const reader = fileReader();
    const allowed = ['vanished', 'changed_while_read', 'torn_message'];
    for (let round = 0; round < times(200); round++) {
      const { tt, codes } = await totalOf(reader);
      expect(codes.filter((code) => !allowed.includes(code))).toEqual([]);
      // What stays is always counted, what comes and goes once at the most.
      expect([15, 18, 21, 24]).toContain(tt);
      for (const name of ['chat_report', 'chat_tokens', 'live_chats', 'chat_accounting', 'chat_timeline'])
        await runTask(name, { file: join(folder, 'root.chat') }, context, tasks);
    }
  } finally {
    writer.kill('SIGKILL');
  }
  expect(trouble).toBe('');
});

describe('what nobody may read', () => {
  test.each([
    ['a transcript', 'root.society/Pilot/one/agent.chat', 12, 'unreadable'],
    ['an .info', `${jobAt('b')}.info`, 15, 'damaged_info'],
    ['a folder of transcripts', 'root.society/Pilot', 9, 'unreadable'],
    ['a folder of jobs', 'var/jobs/Tide', 9, 'unresolved_job_reference'],
  ])('%s', async (_, name, tt, code) => {
    const before = stateBelow(folder);
    chmodSync(join(folder, name), 0);
    const run = (...words: string[]) => runCli(words, { cwd: folder, unprivileged: true });
    try {
      const shown = await run('prov', '-e', 'root.chat');
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^sum +total=${tt} `, 'm')) });
      expect(shown.stderr).toContain(code);
      expect(shown.stderr).not.toMatch(/\n\s+at /);
      for (const task of ['chat_report', 'chat_tokens', 'chat_tool_calls', 'live_chats', 'chat_accounting']) {
        const report = await run('analyst', task, 'root.chat');
        expect({ task, code: report.code, stderr: report.stderr }).toEqual({ task, code: 0, stderr: '' });
        if (task === 'chat_tokens') expect(JSON.parse(report.stdout).deduplicated_total.tt).toBe(tt);
      }
    } finally {
      chmodSync(join(folder, name), name.endsWith('chat') || name.endsWith('info') ? 0o644 : 0o755);
    }
    expect(stateBelow(folder).map((line) => line.split(' ').toSpliced(-2, 1))).toEqual(
      before.map((line) => line.split(' ').toSpliced(-2, 1)),
    );
  });

  test('a root', async () => {
    chmodSync(join(folder, 'root.chat'), 0);
    const { code, stderr, stdout } = await runCli(['prov', 'root.chat'], { cwd: folder, unprivileged: true });
    expect({ code, lines: stdout.split('\n').length, stderr }).toEqual({
      code: 0,
      lines: 5,
      stderr: expect.stringMatching(/^warning: unreadable: \S+root\.chat can't be read \(EACCES\).*\n$/),
    });
  });
});
