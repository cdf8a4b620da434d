import {
  defineWorkflow,
  dependency,
  jobDigest,
  jobName,
  jobPath,
  type ReadInputs,
  readInputs,
  task,
} from '@colophon/workflow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const run = (): string => '';
const workflow = defineWorkflow({
  name: 'Any',
  tasks: {
    below: task({ type: 'text', input: z.object({ deep: z.any().default(['x']), note: z.string().optional() }), run }),
    top: task({
      type: 'json',
      input: z.object({
        text: z.string().default('a'),
        value: z.any().default({ n: 1 }),
        maybe: z.union([z.string(), z.number()]).optional(),
      }),
      needs: { below: dependency('below') },
      run,
    }),
  },
});

const read = (given: Record<string, unknown>): Promise<ReadInputs> =>
  readInputs(workflow, 'top', given, async () => undefined);

const pathOf = ({ inputs, provided }: ReadInputs, name = 'Default'): string => {
  const digest = jobDigest({ workflow: 'Any', task: 'top', inputs, dependencies: {} });
  const file = jobName(name, Object.keys(provided).length > 0 ? digest : undefined, '.json');
  return jobPath('/jobs', { workflow: 'Any', task: 'top', name: file });
};

const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
const given = fc.record(
  {
    text: fc.oneof(fc.constantFrom('a', 'é', 'e\u0301', '', '1'), fc.string()),
    value: fc.oneof(fc.constant({ n: 1 }), json),
    maybe: fc.oneof(fc.constantFrom('1', 1, 0, -0, '0', ''), fc.string(), fc.integer()),
    deep: fc.oneof(fc.constantFrom<unknown>(['x'], 'x'), json),
    note: fc.string({ maxLength: 3 }),
  },
  { requiredKeys: [] },
);

test(
  'inputs that differ have paths that differ, the same inputs the same path; defaults count as not given',
  async () => {
    const paths = new Map<string, string>();
    const standard = pathOf(await read({}));
    expect(standard).toBe('/jobs/Any/top/Default.json');
    await fc.assert(
      fc.asyncProperty(given, async (one) => {
        const inputs = await read(one);
        const path = pathOf(inputs);
        const whole = { text: 'a', value: { n: 1 }, deep: ['x'], ...one };
        const sorted = JSON.stringify(
          Object.entries(whole)
            .map(([key, value]) => [key, JSON.stringify(sort(value))])
            .sort(),
        );
        expect(paths.get(path) ?? sorted).toBe(sorted);
        paths.set(path, sorted);
        const reversed = Object.fromEntries(Object.entries(one).reverse());
        expect(pathOf(await read(reversed))).toBe(path);
        expect(pathOf(await read({ ...whole, absent: undefined }))).toBe(path);
        expect(path === standard).toBe(Object.keys(inputs.provided).length === 0);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'what was read is read again as it is',
  async () => {
    await fc.assert(
      fc.asyncProperty(given, async (one) => {
        const { inputs, provided } = await read(one);
        expect((await read(inputs)).inputs).toEqual(inputs);
        expect((await read(provided)).inputs).toEqual(inputs);
        expect((await read(JSON.parse(JSON.stringify(inputs)))).provided).toEqual(provided);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

const sort = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, sort(inner)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
};
