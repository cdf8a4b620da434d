import { parseOutput } from '@colophon/chat-format';
import { runCalls, type Tool, toolResult } from '@colophon/tools';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const receipt = { inference_id: 'i1', tt: 3 };

/** A tool that ends this long after it was stopped, or never. */
const slow = (more: Partial<Tool>, ends: (stopped: Promise<unknown>) => Promise<unknown>): Tool => ({
  name: 'slow',
  description: '',
  parameters: {},
  run: (_, { signal }) => ends(new Promise((resolve) => signal.addEventListener('abort', resolve))),
  ...more,
});

const run = async (tool: Tool, { abortAfter }: { abortAfter?: number } = {}) => {
  const controller = new AbortController();
  const began: Tool['run'] = (...words) => {
    if (abortAfter !== undefined) setTimeout(() => controller.abort(new Error('enough')), abortAfter);
    return tool.run(...words);
  };
  const { outputs } = await runCalls([{ id: 'c', name: 'slow', arguments: {} }], [{ ...tool, run: began }], {
    now: () => new Date(0),
    signal: controller.signal,
  });
  return outputs.map(({ content }) => parseOutput(content)!);
};

test('the receipts of a call that was stopped are in its output; its content is not', async () => {
  const tool = slow({ grace: 5000 }, async (stopped) => {
    await stopped;
    return toolResult({ content: 'half', meta: [receipt], step: 'A/b/c' });
  });
  for (const how of [{ abortAfter: 5 }, {}]) {
    const [output] = await run({ ...tool, ...('abortAfter' in how ? {} : { timeout: 5 }) }, how);
    expect(output).toMatchObject({
      error: 'abortAfter' in how ? 'aborted' : 'timeout',
      meta: [receipt],
      step: 'A/b/c',
    });
    expect(output?.content).toMatch(/^\{"exception":"The call was stopped/);
  }
});

test('without grace, and after it, nothing is waited for', async () => {
  const never = () => new Promise(() => {});
  expect(await run(slow({}, never), { abortAfter: 5 })).toMatchObject([{ error: 'aborted' }]);
  expect(await run(slow({ grace: 10 }, never), { abortAfter: 5 })).toMatchObject([{ error: 'aborted' }]);
});

test('whenever a tool ends, its call has one output', async () => {
  const when = fc.integer({ min: 0, max: 12 });
  await fc.assert(
    fc.asyncProperty(when, when, when, fc.boolean(), async (abortAfter, endsAfter, grace, throws) => {
      const tool = slow({ grace, timeout: 10 }, async (stopped) => {
        await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, endsAfter))]);
        if (throws) throw new Error('late');
        return toolResult({ content: 'done', meta: [receipt] });
      });
      const outputs = await run(tool, { abortAfter });
      expect(outputs).toHaveLength(1);
    }),
    { numRuns: 60 },
  );
});
