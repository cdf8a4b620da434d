import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tasks } from '@colophon/analyst-tasks';
import { tokenTotals, type Warning } from '@colophon/provenance';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtCli, runCli } from '../../apps/cli/test/built-cli.js';
import { damagedSessions } from './damaged-sessions.js';
import { stateBelow } from './provenance-place.js';
import { onDisk, readSession, renderAll, reports, sizeOf, temporary } from './provenance-reports.js';
import { times } from './scale.js';

beforeAll(() => void builtCli(), 120_000);

const counted = (warnings: readonly Warning[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { code } of warnings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

describe('a damaged session is told, and the rest of it is counted', () => {
  test.each(damagedSessions.map((damaged, number) => ({ ...damaged, number })))('$what', async (damaged) => {
    const { number } = damaged;
    const size = sizeOf(damaged);
    const folder = await onDisk(damaged, size);
    const before = stateBelow(folder);
    const total = damaged.tt(size);

    const session = await readSession(folder);
    expect(tokenTotals(session.events).tt).toBe(total);
    expect(counted(session.warnings)).toEqual(
      Object.fromEntries(
        Object.entries(damaged.codes).map(([code, of]) => [code, typeof of === 'number' ? of : of(size)]),
      ),
    );
    for (const { message, address } of session.warnings) {
      expect([address].flat()[0]).toSatisfy((path: string) => path.startsWith(`${folder}/`));
      expect(message).not.toBe('');
    }
    renderAll(session, folder);

    for (const [name, report] of await reports(folder)) {
      expect(tasks[name]!.output.safeParse(report).error?.issues.slice(0, 3) ?? [], name).toEqual([]);
      if (name === 'chat_tokens') expect(report).toMatchObject({ deduplicated_total: { tt: total } });
      if (name === 'chat_report') expect(report).toMatchObject({ tokens: { deduplicated_total: { tt: total } } });
    }
    expect(stateBelow(folder)).toEqual(before);

    const pictures = temporary();
    const forms = [
      ['-c', '-l', '-e'],
      ['-f', '-e', '--dot', '--mermaid', '--timeline'],
      ['--json'],
      // Laying out large graphs takes its time: how it grows is tested elsewhere.
      ...(session.graph.nodes.length > 100
        ? []
        : [['--plot', join(pictures, 'a.png'), '--timeline', join(pictures, 'b.png')]]),
    ];
    // A process each takes its time: all of them in full, else each in its turn.
    for (const words of forms.filter((_, form) => times(10) === 10 || form === number % forms.length)) {
      const { code, stdout, stderr } = await runCli(['prov', ...words, 'root.chat'], { cwd: folder });
      const told = stderr.split('\n').filter((line) => !/^(wrote .*|chats read: .*|)$/.test(line));
      expect(stderr).not.toMatch(/\n\s+at |Error:/);
      expect({ code, told: told.length }, stderr).toEqual({ code: 0, told: Math.min(6, session.warnings.length) });
      if (words[0] === '--json') expect(JSON.parse(stdout).totals.deduplicated_total.tt).toBe(total);
      else if (words[0] !== '--plot') expect(stdout).toMatch(new RegExp(`^sum +total=${total} `, 'm'));
      else expect(readdirSync(pictures)).toEqual(['a.png', 'b.png']);
    }
    expect(stateBelow(folder)).toEqual(before);
  });
});
